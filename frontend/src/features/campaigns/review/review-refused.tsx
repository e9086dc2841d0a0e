import { Button } from 'antd'
import { ApiError } from '../../../lib/api.ts'
import { type Step, stepLabels } from '../new/steps.ts'
import { Problems } from './problems.tsx'
import styles from './review.module.css'

/** Returns the step of a draft's field. */
const stepOf = (field: string): Step =>
  /^(templateId|variables|recipientFile)/.test(field)
    ? 'template'
    : /^(numberId|schedule)/.test(field)
      ? 'schedule'
      : 'audience'

/** Reason why the review of a draft did not begin, with a link to the step that needs a change. */
export function ReviewRefused({
  error,
  onEdit,
  onRetry,
}: {
  error: Error
  onEdit: (step: Step) => void
  onRetry: () => void
}) {
  const {
    code,
    message = 'The review could not be started.',
    fields = {},
  } = error instanceof ApiError ? error.body : {}
  if (code === 'template_not_approved') return <Problems problems={[{ code, message }]} onEdit={onEdit} />
  const missing = Object.entries(fields)
  if (missing.length > 0)
    return (
      <ul className={styles['notes']} aria-label="What to fix before sending">
        {missing.map(([field, words]) => (
          <li key={field} className={styles['note']} data-tone="danger">
            <p>{words}</p>
            <div>
              <Button size="small" onClick={() => onEdit(stepOf(field))}>
                Go to {stepLabels[stepOf(field)]}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <div className={styles['stack']}>
      <p role="alert">{message}</p>
      <div>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </div>
  )
}
