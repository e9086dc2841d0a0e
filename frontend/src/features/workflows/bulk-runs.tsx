import type { BulkAction } from '@parley/contracts/automation/flow-jobs'
import type { Workflow } from '@parley/contracts/automation/workflows'
import { Button, Checkbox, Radio } from 'antd'
import { useState } from 'react'
import type { RunsQuery } from '../../flow-builder/flow-runs.ts'
import { useIsRefused } from '../../lib/choices/members.ts'
import { explain } from '../../lib/explain.ts'
import { useChangeRuns } from '../../lib/flow-jobs.ts'
import { counted } from '../../lib/format.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'

type Kind = BulkAction['kind']

const labels: Readonly<Record<Kind, string>> = {
  retry: 'Try all again…',
  cancel: 'End all…',
  release: 'Let all go on…',
}
const titles: Readonly<Record<Kind, string>> = {
  retry: 'Try failed runs again',
  cancel: 'End runs',
  release: 'Let held runs go on',
}

/** Changes that make sense for the runs of a list. */
const kindsFor = ({ show, outcome }: RunsQuery): Kind[] => {
  if (show === 'held') return ['release', 'cancel']
  if (show === 'live') return ['cancel']
  return outcome === 'failed' || outcome === 'loop' ? ['retry'] : []
}

/** Commands over all runs that a list shows. */
export function BulkRuns({
  workflow,
  query,
  total,
}: {
  workflow: Workflow
  query: RunsQuery
  total: number | undefined
}) {
  const [kind, setKind] = useState<Kind>('retry')
  const [isOpen, setOpen] = useState(false)
  const mayNotChange = useIsRefused('workflows:publish')
  if (mayNotChange) return null
  return (
    <>
      {kindsFor(query).map((one) => (
        <Button
          key={one}
          danger={one === 'cancel'}
          onClick={() => {
            setKind(one)
            setOpen(true)
          }}
        >
          {labels[one]}
        </Button>
      ))}
      <BulkDialog
        workflow={workflow}
        query={query}
        total={total}
        kind={kind}
        open={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

function BulkDialog({
  workflow: { id, publishedVersion },
  query: { cursor: _, ...filter },
  total,
  kind,
  open,
  onClose,
}: {
  workflow: Workflow
  query: RunsQuery
  total: number | undefined
  kind: Kind
  open: boolean
  onClose: () => void
}) {
  const [from, setFrom] = useState<'failed' | 'start'>('failed')
  const [mayRepeat, setRepeat] = useState(false)
  const { mutateAsync: change, isPending } = useChangeRuns(id)
  const many = total === undefined ? 'All runs of the list' : counted(total, 'run')
  const leads: Readonly<Record<Kind, string>> = {
    retry: `${many}, and further ones that match until then: each begins anew on version ${publishedVersion ?? ''}. Those that were tried again already are left out.`,
    cancel: `${many} end. What they have done stays; conversations that they hold go to people.`,
    release: `${many} go on with what they would have done.`,
  }

  async function submit() {
    const action = kind === 'retry' ? { kind, from, repeatUncertain: mayRepeat } : { kind }
    try {
      await change({ filter, action })
      onClose()
    } catch (error) {
      toast.error(explain(error, 'The runs could not be changed. Try again.'))
    }
  }

  return (
    <FormDialog
      open={open}
      title={titles[kind]}
      lead={leads[kind]}
      submitLabel={kind === 'retry' ? 'Try again' : kind === 'cancel' ? 'End them' : 'Let them go on'}
      danger={kind === 'cancel'}
      pending={isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
      onClosed={() => {
        setFrom('failed')
        setRepeat(false)
      }}
    >
      {kind === 'retry' && (
        <>
          <Radio.Group
            aria-label="Where they begin"
            vertical
            value={from}
            onChange={({ target }) => setFrom(target.value)}
            options={[
              { value: 'failed', label: 'Each at the step that failed' },
              { value: 'start', label: 'At the start: what was done is done again' },
            ]}
          />
          <Checkbox checked={mayRepeat} onChange={({ target }) => setRepeat(target.checked)}>
            Also those with a step that may have been done although no answer came
          </Checkbox>
        </>
      )}
    </FormDialog>
  )
}
