import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { momentOf } from '@parley/contracts/zoned-time'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { templateChoices } from '../../../lib/choices/templates.ts'
import { counted, formatCount } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { audienceOptions } from '../api.ts'
import { segmentChoices, sendingNumberChoices } from '../choices.ts'
import { exclusionsOf, hoursWords, limitWarning, missedWords, recentWords, startTime } from '../words.ts'
import { Charge } from './charge.tsx'
import { type Draft, type DraftContext, questionOf } from './draft.ts'
import styles from './new-broadcast.module.css'
import { PersonalPreview } from './personal-preview.tsx'
import { Quota } from './quota.tsx'
import type { Step } from './steps.ts'
import { useKeptHours } from './use-kept-hours.ts'

/** Step 4: everything at a glance, with what it costs. */
export function ReviewStep({ context, onEdit }: { context: DraftContext; onEdit: (step: Step) => void }) {
  const draft = useFormContext<Draft>().watch()
  const { data: templates } = useQuery(templateChoices())
  const { data: numbers } = useQuery(sendingNumberChoices())
  const template = templates?.find(({ id }) => id === draft.templateId)
  const number = numbers?.find(({ id }) => id === draft.numberId)
  const hours = useKeptHours(draft.templateId)
  const { now } = useClock(0)
  const at = draft.when === 'later' ? momentOf(draft, context.timeZone) : undefined
  return (
    <div className={styles['columns']}>
      <div className={styles['fields']}>
        <Part title="Audience" onEdit={() => onEdit('audience')}>
          <p className={styles['strong']} dir="auto">
            {draft.name.trim()}
          </p>
          <AudienceLine draft={draft} />
          {draft.skipsRecent && draft.recentDays !== null && template && (
            <p className={styles['lead']}>
              {template.category === 'marketing'
                ? `Leaves out ${recentWords(draft.recentDays)}`
                : 'Leaves out nobody who had marketing recently: this template is no marketing.'}
            </p>
          )}
        </Part>
        <Part title="Template" onEdit={() => onEdit('template')}>
          <p>{template?.name}</p>
        </Part>
        <Part title="Schedule" onEdit={() => onEdit('schedule')}>
          <p>{at ? startTime(at.toISOString(), context.timeZone) : 'As soon as it is created'}</p>
          {hours && !draft.anyHour && <p className={styles['lead']}>Only from {hoursWords(hours, now)}</p>}
          <p className={styles['lead']}>From {number?.displayName}</p>
        </Part>
        <Numbers draft={draft} timeZone={context.timeZone} at={at} limit={number?.messagingLimit ?? null} />
      </div>
      <PersonalPreview template={template} />
    </div>
  )
}

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <div className={styles['partHead']}>
        <h3>{title}</h3>
        <Button type="link" onClick={onEdit} aria-label={`Edit ${title.toLowerCase()}`}>
          Edit
        </Button>
      </div>
      {children}
    </section>
  )
}

function AudienceLine({ draft }: { draft: Draft }) {
  const { data: segments } = useQuery(segmentChoices())
  if (draft.kind === 'campaign')
    return (
      <p className={styles['lead']} dir="auto">
        {draft.earlierName}: {missedWords[draft.missed].toLowerCase()}
      </p>
    )
  if (draft.kind === 'tags') return <p className={styles['lead']}>Tagged {draft.tags.join(', ')}</p>
  if (draft.kind === 'contacts')
    return (
      <p className={styles['lead']} dir="auto">
        {draft.contacts
          .slice(0, 3)
          .map(({ label }) => label.split(' · ')[0])
          .join(', ')}
        {draft.contacts.length > 3 && ` and ${counted(draft.contacts.length - 3, 'other')}`}
      </p>
    )
  return <p className={styles['lead']}>Segment {segments?.find(({ id }) => id === draft.segmentId)?.name}</p>
}

function Numbers({
  draft,
  timeZone,
  at,
  limit,
}: {
  draft: Draft
  timeZone: string
  /** When it begins; undefined: now. */
  at: Date | undefined
  limit: number | null
}) {
  const question = questionOf(draft, timeZone, draft.templateId)
  const { data, isLoadingError, isFetching, refetch } = useQuery(audienceOptions(question))
  if (isLoadingError && !isFetching)
    return (
      <ErrorState title="Not counted" message="The audience could not be counted." onRetry={() => void refetch()} />
    )
  if (!data) return <SkeletonBar height="140px" />
  const { audience, excluded, reachable } = data
  const warning = limitWarning(reachable, limit)
  return (
    <>
      <section className={styles['part']} aria-label="Numbers">
        <h3>Numbers</h3>
        <dl className={styles['lines']}>
          <div>
            <dt>Audience</dt>
            <dd>{formatCount(audience)}</dd>
          </div>
          {exclusionsOf(excluded).map(({ reason, count }) => (
            <div key={reason}>
              <dt>Left out: {reason}</dt>
              <dd>−{formatCount(count)}</dd>
            </div>
          ))}
          <div data-total>
            <dt>Get the message</dt>
            <dd>{formatCount(reachable)}</dd>
          </div>
          <div>
            <dt>Cost</dt>
            <dd>{counted(reachable, 'credit')}</dd>
          </div>
        </dl>
        {question && reachable > 0 && (
          <Charge
            question={{ ...question, templateId: draft.templateId, ...(at && { scheduledFor: at.toISOString() }) }}
          />
        )}
        {warning && (
          <p className={styles['warning']}>
            <WarningOutlined role="img" aria-label="Warning" /> {warning}
          </p>
        )}
        {reachable === 0 && (
          <p className={styles['problem']} role="alert">
            No one in this audience can be reached. Choose another one.
          </p>
        )}
      </section>
      {reachable > 0 && <Quota needs={reachable} at={at} />}
    </>
  )
}
