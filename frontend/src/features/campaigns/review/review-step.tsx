import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { momentOf } from '@parley/contracts/core/zoned-time'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { sendingNumberChoices } from '../../../lib/choices/numbers.ts'
import { templateChoices } from '../../../lib/choices/templates.ts'
import { audienceOptions } from '../api.ts'
import { hoursLabels, limitWarning, recentLabels, startTime } from '../labels.ts'
import type { Draft, DraftContext } from '../new/draft.ts'
import { fieldsOf, questionOf } from '../new/draft-fields.ts'
import shared from '../new/new-broadcast.module.css'
import { PersonalPreview } from '../new/personal-preview.tsx'
import type { Step } from '../new/steps.ts'
import { useKeptHours } from '../new/use-kept-hours.ts'
import { AudienceLine } from './audience-line.tsx'
import { Delivery } from './delivery.tsx'
import { FileReview } from './file-review.tsx'
import { Quota } from './quota.tsx'
import styles from './review.module.css'
import { Fallbacks, ReviewNumbers } from './review-numbers.tsx'
import { ReviewPanel } from './review-panel.tsx'
import type { Review } from './use-review.ts'

/** Step 4: everything at a glance, with what its review has written down, and what it costs. */
export function ReviewStep({
  context,
  review: state,
  isUnsaved,
  onEdit,
}: {
  context: DraftContext
  review: Review
  /** Set while contents of the steps have not reached the server. */
  isUnsaved: boolean
  onEdit: (step: Step) => void
}) {
  const draft = useFormContext<Draft>().watch()
  const { data: templates } = useQuery(templateChoices())
  const { data: numbers } = useQuery(sendingNumberChoices())
  const template = templates?.find(({ id }) => id === draft.templateId)
  const number = numbers?.find(({ id }) => id === draft.numberId)
  const { data: expected } = useQuery(audienceOptions(questionOf(draft, context.timeZone, draft.templateId)))
  const { review, ready } = state
  const recipients = ready?.counts.recipients ?? 0
  const at = draft.when === 'later' ? momentOf(draft, context.timeZone) : undefined
  // The forecast knows the limit, and what it means.
  const limit = ready && !ready.delivery ? limitWarning(recipients, number?.messagingLimit ?? null) : undefined
  return (
    <div className={`${shared['columns']} ${styles['areas']}`}>
      <ReviewPanel review={state} expected={expected?.audience} isUnsaved={isUnsaved} onEdit={onEdit} />
      <div className={`${shared['fields']} ${styles['all']}`}>
        <Part title="Audience" onEdit={() => onEdit('audience')}>
          <p className={shared['strong']} dir="auto">
            {draft.name.trim()}
          </p>
          <AudienceLine draft={draft} />
          {draft.skipsRecent && draft.recentDays !== null && template && (
            <p className={shared['lead']}>
              {template.category === 'marketing'
                ? `Leaves out ${recentLabels(draft.recentDays)}`
                : 'Contacts who got marketing recently are not left out, because this template is not marketing.'}
            </p>
          )}
        </Part>
        <Part title="Template" onEdit={() => onEdit('template')}>
          <p className={shared['strong']}>
            {template?.name}
            {ready?.templateVersion !== undefined && `, version ${ready.templateVersion}`}
          </p>
        </Part>
        <Part title="Schedule" onEdit={() => onEdit('schedule')}>
          <p className={shared['strong']}>
            {at ? startTime(at.toISOString(), context.timeZone) : 'As soon as you send it'}
          </p>
          <HoursLine draft={draft} />
          <p className={shared['lead']} dir="auto">
            From {number?.displayName}
          </p>
        </Part>
        <ReviewNumbers review={review} leavesOut={draft.leavesOut} />
        {limit && (
          <p className={shared['warning']}>
            <WarningOutlined role="img" aria-label="Warning" /> {limit}
          </p>
        )}
        <Fallbacks review={review} variables={fieldsOf(draft, context).variables} />
        <FileReview files={review?.files} />
        <Quota needs={ready?.counts.recipients} at={at} />
        {ready?.delivery && <Delivery plan={ready.delivery} timeZone={context.timeZone} />}
      </div>
      <PersonalPreview template={template} canTest={template?.status === 'approved'} />
    </div>
  )
}

function HoursLine({ draft }: { draft: Draft }) {
  const hours = useKeptHours(draft.templateId)
  return hours && !draft.anyHour ? <p className={shared['lead']}>Only from {hoursLabels(hours)}</p> : null
}

function Part({ title, onEdit, children }: { title: string; onEdit: () => void; children: ReactNode }) {
  return (
    <section className={shared['part']}>
      <div className={shared['partHead']}>
        <h3>{title}</h3>
        <Button type="link" onClick={onEdit} aria-label={`Edit ${title.toLowerCase()}`}>
          Edit
        </Button>
      </div>
      {children}
    </section>
  )
}
