import { replayDays, type Webhook } from '@parley/contracts/platform/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Button, Progress, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { formatCount } from '../../lib/format.ts'
import { useOpening } from '../../lib/use-opening.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { replayOptions, useCancelReplay, useReplayRange } from './api.ts'
import styles from './webhooks.module.css'

const hourMs = 3_600_000
const spans = [
  { value: 1, label: 'The last hour' },
  { value: 6, label: 'The last 6 hours' },
  { value: 24, label: 'The last day' },
  { value: 7 * 24, label: 'The last 7 days' },
  { value: replayDays * 24 - 1, label: `The last ${replayDays} days` },
]

interface Props {
  readonly webhook: Webhook
  readonly open: boolean
  readonly onClose: () => void
  /** Is given the job. */
  readonly onStarted: (jobId: string) => void
}

/** Sends the events of a time again. */
export function ReplayDialog(props: Props) {
  return <Dialog key={useOpening(props.open)} {...props} />
}

function Dialog({ webhook, open, onClose, onStarted }: Props) {
  const id = useId()
  const [hours, setHours] = useState(24)
  const [only, setOnly] = useState<'failed' | 'all'>('failed')
  const replay = useReplayRange()
  const start = async () => {
    const now = Date.now()
    try {
      const job = await replay.mutateAsync({
        id: webhook.id,
        since: new Date(now - hours * hourMs).toISOString(),
        until: new Date(now).toISOString(),
        only,
      })
      onStarted(job.id)
      onClose()
    } catch (error) {
      toast.error(explain(error, 'The replay could not be started. Try again.'))
    }
  }
  return (
    <FormDialog
      open={open}
      title={`Replay events to ${webhook.name}`}
      lead="Each goes out again under its own id, behind what happens now."
      submitLabel="Start Replay"
      pending={replay.isPending}
      onSubmit={() => void start()}
      onClose={onClose}
    >
      <div className={styles['testFields']}>
        <div>
          <label htmlFor={`${id}-span`}>Events of</label>
          <Select id={`${id}-span`} value={hours} onChange={setHours} options={spans} />
        </div>
      </div>
      <fieldset className={styles['choice']}>
        <legend>Which of them</legend>
        <Radio.Group
          value={only}
          onChange={({ target }) => setOnly(target.value)}
          options={[
            { value: 'failed', label: 'Only those that were not delivered' },
            { value: 'all', label: 'All' },
          ]}
        />
      </fieldset>
    </FormDialog>
  )
}

/** Progress of a replay, until it is dismissed. */
export function ReplayStrip({ webhookId, jobId, onHide }: { webhookId: string; jobId: string; onHide: () => void }) {
  const { data } = useQuery(replayOptions(webhookId, jobId))
  const cancel = useCancelReplay()
  if (!data) return null
  const isRunning = data.state === 'waiting' || data.state === 'running'
  const words = {
    waiting: 'The replay begins.',
    running: 'Events are queued again.',
    done: 'The replay is queued.',
    failed: 'The replay has failed. Start it again.',
    cancelled: 'The replay was stopped.',
  }[data.state]
  return (
    <div className={styles['replay']} role="status">
      <span>
        {words} {formatCount(data.done)} {data.done === 1 ? 'event' : 'events'} so far.
      </span>
      {isRunning && <Progress percent={100} status="active" showInfo={false} aria-label="Replay" />}
      {isRunning ? (
        <Button onClick={() => cancel.mutate({ id: webhookId, jobId })}>Stop</Button>
      ) : (
        <Button onClick={onHide}>Hide</Button>
      )}
    </div>
  )
}
