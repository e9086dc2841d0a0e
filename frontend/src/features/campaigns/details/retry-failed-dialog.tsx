import type { RecipientPage } from '@parley/contracts/campaigns/campaign-recipients'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { type FailureClass, failureClasses } from '@parley/contracts/campaigns/failure-classes'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { startTime } from '../labels.ts'
import styles from './details.module.css'
import type { OpenDraft } from './open-draft.ts'
import { failuresOptions, useRetry } from './results-api.ts'

const dayMs = 86_400_000
/** Classes for which sending again is pointless; they may be chosen anyway. */
const hopeless: ReadonlySet<FailureClass> = new Set(['bad_contact', 'opted_out'])

/** Asks for which failure reasons a campaign is sent again, to its failed recipients. */
export function RetryFailedDialog({
  open,
  campaign: { id, name, counts, completedAt },
  onDraft,
  onClose,
}: {
  open: boolean
  campaign: Campaign
  onDraft: OpenDraft
  onClose: () => void
}) {
  const { data, isLoadingError, refetch } = useQuery({ ...failuresOptions(id), enabled: open })
  const { now, timeZone } = useClock(0)
  const [picked, setPicked] = useState<readonly FailureClass[]>()
  const retry = useRetry(id)
  const heldUntil = completedAt === undefined ? undefined : new Date(Date.parse(completedAt) + dayMs)
  const isEarly = (failureClass: FailureClass) =>
    failureClass === 'wait_24h' && heldUntil !== undefined && heldUntil > now
  const reasons = data && reasonsOf(data, counts.failed)
  const offered = reasons?.map((reason) => reason.class).filter((failureClass) => !isEarly(failureClass)) ?? []
  const chosen = picked ?? offered.filter((failureClass) => !hopeless.has(failureClass))
  const sum = reasons?.filter((reason) => chosen.includes(reason.class)).reduce((all, { count }) => all + count, 0) ?? 0
  return (
    <FormDialog
      open={open}
      title={`Send ${name} again`}
      lead="Goes to recipients that failed for the reasons you choose. You review the draft before anything is sent."
      submitLabel={sum === 0 ? 'Create draft' : `Create draft for ${formatCount(sum)}`}
      submitDisabled={chosen.length === 0}
      pending={retry.isPending}
      onSubmit={() =>
        retry.mutate(
          { scope: 'failed', classes: [...chosen] },
          {
            onSuccess: (draft) => {
              onClose()
              onDraft(draft.id, 'audience')
            },
          },
        )
      }
      onClose={onClose}
      onClosed={() => setPicked(undefined)}
    >
      {isLoadingError ? (
        <p role="alert">
          The reasons could not be read. <Button onClick={() => void refetch()}>Retry</Button>
        </p>
      ) : !reasons ? (
        <SkeletonBar height="120px" />
      ) : (
        <ul className={styles['reasons']} aria-label="Reasons">
          {reasons.map(({ class: failureClass, count }) => (
            <li key={failureClass}>
              <Checkbox
                checked={chosen.includes(failureClass)}
                disabled={isEarly(failureClass)}
                onChange={({ target }) =>
                  setPicked(
                    target.checked ? [...chosen, failureClass] : chosen.filter((other) => other !== failureClass),
                  )
                }
              >
                {failureLabels[failureClass]} ({formatCount(count)})
              </Checkbox>
              {isEarly(failureClass) && heldUntil && (
                <p className={styles['note']}>
                  WhatsApp requires a day in between. Available from {startTime(heldUntil.toISOString(), timeZone)}.
                </p>
              )}
              {failureClass === 'bad_contact' && (
                <p className={styles['note']}>
                  They may not use WhatsApp, or have blocked you. Sending again rarely reaches them, and may lower the
                  quality of your number.
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}

/** Reasons why messages of a class have failed. */
const failureLabels: Record<FailureClass, string> = {
  bad_contact: 'Could not be reached on WhatsApp',
  wait_24h: 'Held back by WhatsApp: they get much marketing',
  opted_out: 'Have stopped marketing messages',
  bad_file: 'Their file could not be fetched or sent',
  bad_value: 'Their values did not fit the template',
  fix_template: 'Something was wrong with the template',
  stop_number: 'The number or its account was stopped',
  retry: 'WhatsApp was busy, and stayed so',
  slow_number: 'Too many messages at once from the number',
  slow_contact: 'Too many messages at once to the customer',
  window_closed: 'The 24-hour window was closed',
  bad_request: 'WhatsApp refused it for another reason',
}

interface Reason {
  readonly class: FailureClass
  readonly count: number
}

/** Returns the number of failures by class of reason, the most frequent first; failures without a reason count as refused. */
function reasonsOf(failures: RecipientPage['failures'], failed: number): Reason[] {
  const known = failures.reduce((sum, { count }) => sum + count, 0)
  const counted = failureClasses.map((failureClass) => {
    const classCount = failures
      .filter((failure) => failure.class === failureClass)
      .reduce((sum, { count }) => sum + count, 0)
    return {
      class: failureClass,
      count: failureClass === 'bad_request' ? classCount + Math.max(0, failed - known) : classCount,
    }
  })
  return counted.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count)
}
