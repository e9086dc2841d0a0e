import { webhookEvents } from '@parley/contracts/platform/public-events'
import { Checkbox } from 'antd'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { WebhookForm } from './webhook-form.ts'
import { eventMeanings } from './webhook-labels.ts'
import styles from './webhooks.module.css'

/** The eight event checkboxes, and one for all of them. */
export function EventFields({ control }: { control: Control<WebhookForm> }) {
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'events' })
  const chosen = field.value
  const set = (events: readonly string[]) => field.onChange(webhookEvents.filter((event) => events.includes(event)))
  const error = fieldState.error?.message
  return (
    <fieldset className={styles['eventFields']} aria-describedby={error ? `${id}-error` : undefined}>
      <legend>Events</legend>
      <Checkbox
        ref={field.ref}
        className={styles['all'] ?? ''}
        checked={chosen.length === webhookEvents.length}
        indeterminate={chosen.length > 0 && chosen.length < webhookEvents.length}
        onChange={({ target }) => set(target.checked ? webhookEvents : [])}
      >
        Select all
      </Checkbox>
      <div className={styles['eventGrid']}>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            checked={chosen.includes(event)}
            aria-describedby={`${id}-${event}`}
            onChange={({ target }) =>
              set(target.checked ? [...chosen, event] : chosen.filter((other) => other !== event))
            }
          >
            {event}
            <span id={`${id}-${event}`} className={styles['meaning']} aria-hidden="true">
              {eventMeanings[event]}
            </span>
          </Checkbox>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
