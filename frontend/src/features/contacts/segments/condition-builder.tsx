import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { contactConditionsSchema } from '@parley/contracts/contacts/contact-fields'
import type { Segment } from '@parley/contracts/contacts/segments'
import { segmentsApi } from '@parley/contracts/contacts/segments'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Input } from 'antd'
import { useDeferredValue, useId, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { toast } from '../../../ui/toast.ts'
import { matchCountOptions } from '../api.ts'
import { useSaveSegment } from './api.ts'
import styles from './builder.module.css'
import { ConditionGroupFields } from './condition-group.tsx'
import { allOf, type DraftGroup, firstProblem, fromDraft, newGroup, toDraft } from './draft.ts'

type Conditions = Segment['filter']

/** Purpose for which the builder was opened. */
export interface Opening {
  /** Number of the opening: each starts afresh. */
  readonly number: number
  readonly isOpen: boolean
  /** Value in the address. */
  readonly build: string | undefined
  /** Initial conditions of the builder. */
  readonly start: Conditions
  /** The segment that is changed; absent while a list is filtered. */
  readonly segment: Segment | undefined
  /** Segment that the list is limited to already, for a filter. */
  readonly within: Segment | undefined
}

interface Props {
  opening: Opening
  /** Defined fields. */
  attributes: readonly Attribute[]
  /** Names of the defined fields, and of others that contacts of this workspace have. */
  names: readonly string[]
  onApply: (conditions: Conditions) => void
  onSaved: (segment: Segment) => void
  onClose: () => void
}

/** Writes conditions over the list, which they filter, or which become a segment. */
export function ConditionBuilder({ opening, onClose, ...props }: Props) {
  return (
    <Drawer
      open={opening.isOpen}
      onClose={onClose}
      size="min(600px, 100vw)"
      title={opening.segment ? 'Edit Segment' : 'Filter Contacts'}
      closable={{ 'aria-label': 'Close', placement: 'end' }}
      destroyOnHidden
      styles={{ body: { padding: 0 } }}
    >
      <Builder key={opening.number} opening={opening} {...props} />
    </Drawer>
  )
}

function Builder({ opening, attributes, names, onApply, onSaved }: Omit<Props, 'onClose'>) {
  const { start, segment, within } = opening
  const id = useId()
  const box = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<DraftGroup>(() => (start.conditions.length > 0 ? toDraft(start) : newGroup()))
  const [added, setAdded] = useState<number>()
  const [asked, setAsked] = useState(false)
  const [seen, setSeen] = useState(segment)
  // A new segment is named once its conditions are there.
  const [name, setName] = useState(segment?.name)
  const [nameProblem, setNameProblem] = useState<string>()
  const save = useSaveSegment()
  const conditions = fromDraft(draft)

  /** Shows the first condition that is not complete; tells whether there is one. */
  function isIncomplete(): boolean {
    setAsked(true)
    const problem = firstProblem(draft)
    const row = problem && box.current?.querySelector(`[data-condition="${problem.key}"]`)
    row?.querySelector<HTMLElement>('input:not([type=hidden])')?.focus()
    return problem !== undefined
  }

  function saveSegment() {
    if (isIncomplete()) return
    const typed = name?.trim() ?? ''
    if (typed === '') return refuseName('Enter a name')
    const filter = segment ? conditions : allOf([within?.filter, conditions])
    if (filter.conditions.length === 0) return refuseName('Add a condition')
    save.mutate(
      { of: seen, fields: { name: typed, filter } },
      {
        onSuccess: onSaved,
        onError: (error) => {
          const current = staleRecord(error, segmentsApi.update)
          if (current) {
            setSeen(current)
            return refuseName('Someone else has changed this segment. Save again to replace their change.')
          }
          const message = error instanceof ApiError ? error.body.fields?.['name'] : undefined
          if (message) return refuseName(message)
          toast.error(explain(error, 'The segment could not be saved. Your changes are still here. Try again.'))
        },
      },
    )
  }

  function refuseName(message: string) {
    setNameProblem(message)
    document.getElementById(`${id}-name`)?.focus()
  }

  return (
    <form
      ref={box}
      className={styles['builder']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (save.isPending) return
        if (name !== undefined) saveSegment()
        else if (!isIncomplete()) onApply(conditions)
      }}
    >
      <div className={styles['tree']}>
        {within && (
          <p className={styles['hint']}>
            Within the segment <bdi>{within.name}</bdi>.
          </p>
        )}
        <ConditionGroupFields
          group={draft}
          attributes={attributes}
          names={names}
          asked={asked}
          added={added}
          onChange={setDraft}
          onAdded={setAdded}
        />
      </div>
      <div className={styles['foot']}>
        <Matches segment={within?.id} conditions={conditions} />
        {name !== undefined && (
          <div className={styles['name']}>
            <label htmlFor={`${id}-name`}>Name of the segment</label>
            <Input
              id={`${id}-name`}
              value={name}
              maxLength={60}
              dir="auto"
              autoFocus={!segment}
              autoComplete="off"
              onChange={({ target }) => {
                setName(target.value)
                setNameProblem(undefined)
              }}
              {...(nameProblem && { status: 'error' as const, 'aria-describedby': `${id}-name-problem` })}
            />
            {nameProblem && (
              <p id={`${id}-name-problem`} role="alert" className={styles['problem']}>
                {nameProblem}
              </p>
            )}
          </div>
        )}
        <div className={styles['buttons']}>
          {name === undefined ? (
            <>
              <Button onClick={() => !isIncomplete() && setName('')}>Save as Segment</Button>
              <Button type="primary" htmlType="submit">
                Apply
              </Button>
            </>
          ) : (
            <>
              {!segment && <Button onClick={() => setName(undefined)}>Back</Button>}
              <Button type="primary" htmlType="submit" loading={save.isPending}>
                Save Segment
              </Button>
            </>
          )}
        </div>
      </div>
    </form>
  )
}

/** Shows how many contacts match the current conditions. */
function Matches({ segment, conditions }: { segment: string | undefined; conditions: Conditions }) {
  const isValid = contactConditionsSchema.safeParse(conditions).success
  const text = useDeferredValue(JSON.stringify(conditions))
  const filter = { ...(segment !== undefined && { segment }), conditions: text }
  const { data, error, isFetching } = useQuery({ ...matchCountOptions(filter), enabled: isValid })
  const words = !isValid
    ? 'Complete the conditions to see how many contacts match.'
    : error && !data
      ? explain(error, 'How many contacts match could not be counted.')
      : !data
        ? 'Counting…'
        : data.approximate
          ? `About ${formatCount(data.total)} contacts match.`
          : `${counted(data.total, 'contact')} ${data.total === 1 ? 'matches' : 'match'}.`
  return (
    <p className={styles['matches']} role="status" aria-busy={isFetching}>
      {words}
    </p>
  )
}
