import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { Condition, ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useAttributes } from '../../../lib/choices/attributes.ts'
import { toast } from '../../../ui/toast.ts'
import { segmentOptions } from '../api.ts'
import type { Opening } from '../segments/condition-builder.tsx'
import { allOf } from '../segments/draft.ts'
import { SavedSegments } from '../segments/saved-segments.tsx'
import { type ChangeUrl, type ContactsUrl, noQuickFilters } from '../url.ts'
import styles from './narrow-by.module.css'
import { SegmentCards } from './segment-cards.tsx'

const ConditionBuilder = lazy(async () => ({
  default: (await import('../segments/condition-builder.tsx')).ConditionBuilder,
}))

/** Segments above the list, and the builder that narrows the list by conditions of any kind. */
export function NarrowBy({
  url,
  change,
  contacts,
}: {
  url: ContactsUrl
  change: ChangeUrl
  contacts: readonly Contact[]
}) {
  const attributes = useAttributes()
  const { data: segments } = useQuery(segmentOptions())
  const named = (id: string | undefined) => segments?.find((segment) => segment.id === id)
  const edited = url.build === 'filter' ? undefined : named(url.build)
  const within = url.segment === 'all' ? undefined : url.segment
  const isOpen = edited !== undefined || (url.build === 'filter' && (within === undefined || segments !== undefined))
  // Kept as it was when it opened, while it closes with its motion.
  const [opening, setOpening] = useState<Opening>()
  if (isOpen && (!opening?.isOpen || opening.build !== url.build))
    setOpening({
      number: (opening?.number ?? 0) + 1,
      isOpen,
      build: url.build,
      start: edited?.filter ?? conditionsOfUrl(url, new Date()),
      segment: edited,
      within: edited ? undefined : named(within),
    })
  if (!isOpen && opening?.isOpen) setOpening({ ...opening, isOpen })
  const choose = (segment: string | undefined) =>
    change({ segment: segment === 'all' ? undefined : segment, cursor: undefined, page: undefined })
  const close = () => change({ build: undefined })
  return (
    <>
      <aside className={styles['segments']} aria-label="Segments of contacts">
        <SegmentCards chosen={url.segment ?? 'all'} onChoose={choose} />
        <SavedSegments chosen={url.segment} onChoose={choose} onEdit={(build) => change({ build })} />
        <Button
          className={styles['new'] ?? ''}
          type="text"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => change({ build: 'filter' })}
        >
          New segment
        </Button>
      </aside>
      {opening && (
        <Suspense>
          <ConditionBuilder
            opening={opening}
            attributes={attributes}
            names={namesOf(contacts, attributes)}
            onApply={(conditions) =>
              change({
                build: undefined,
                ...noQuickFilters,
                conditions: conditions.conditions.length > 0 ? JSON.stringify(conditions) : undefined,
              })
            }
            onSaved={({ id, name }) => {
              toast.success(`Segment ${name} saved.`)
              change({ build: undefined, segment: id, conditions: undefined, ...noQuickFilters })
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Names of the defined fields, and of those that contacts on the page have; every form offers the city. */
const namesOf = (contacts: readonly Contact[], defined: readonly Attribute[]): string[] => [
  ...new Set([
    'city',
    ...defined.map(({ name }) => name),
    ...contacts.flatMap(({ attributes }) => Object.keys(attributes)).slice(0, 50),
  ]),
]

const dayMs = 86_400_000
const days = { '7d': 7, '30d': 30, '90d': 90 } as const

/** Returns the quick filters and the conditions of the address as conditions alone. */
export function conditionsOfUrl(
  { tags = [], last, conditions }: Pick<ContactsUrl, 'tags' | 'last' | 'conditions'>,
  now: Date,
): ConditionGroup {
  const tagged = tags.map((value): Condition => ({ field: 'tags', comparison: 'contains', value }))
  return allOf([
    { match: tagged.length > 1 ? 'any' : 'all', conditions: tagged },
    { match: 'all', conditions: last ? [lastContact(last, now)] : [] },
    conditions,
  ])
}

function lastContact(last: NonNullable<ContactsUrl['last']>, now: Date): Condition {
  const field = 'lastContactAt'
  if (last === 'never') return { field, comparison: 'is_not_set' }
  if (last !== 'older') return { field, comparison: 'within_days', value: String(days[last]) }
  // Older than a number of days is none of the comparisons: the day it is, as it stands now.
  const day = new Date(now.getTime() - days['90d'] * dayMs).toISOString().slice(0, 10)
  return { field, comparison: 'less_than', value: day }
}
