import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import type { FailureClass } from '@parley/contracts/campaigns/failure-classes'
import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { useClock } from '../../../lib/use-clock.ts'
import { FormDialog } from '../../../ui/dialog.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { startTime } from '../labels.ts'
import styles from './details.module.css'
import { failureLabels, reasonsOf } from './failure-labels.ts'
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
