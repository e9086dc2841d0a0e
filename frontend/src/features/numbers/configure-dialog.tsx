import { zodResolver } from '@hookform/resolvers/zod'
import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { writtenPhone } from '@parley/phone'
import { useQuery } from '@tanstack/react-query'
import { Input, Switch } from 'antd'
import { useId } from 'react'
import { useController, useForm } from 'react-hook-form'
import { explain } from '../../lib/explain.ts'
import { showFieldProblems } from '../../lib/form-problems.ts'
import { formatCount } from '../../lib/format.ts'
import { staleRecord } from '../../lib/stale-record.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useConflict } from '../../lib/use-conflict.ts'
import { useLast } from '../../lib/use-last.ts'
import { useOpening } from '../../lib/use-opening.ts'
import { ConflictNotice } from '../../ui/conflict-notice.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { LeaveWarning } from '../../ui/leave-warning.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { toast } from '../../ui/toast.ts'
import { numberListOptions, useUpdateNumber } from './api.ts'
import { type NumberSettings, numberSettingsSchema } from './number-form.ts'
import { historyLabels, nameWords } from './number-labels.ts'
import styles from './numbers.module.css'

interface Props {
  /** Absent while the dialog is closed. */
  readonly number: WhatsAppNumber | undefined
  readonly onClose: () => void
}

/** Renames a number, makes it the default, replaces its access token. */
export function ConfigureDialog({ number, onClose }: Props) {
  const shown = useLast(number)
  const opening = useOpening(number !== undefined)
  return (
    shown && (
      <ConfigureForm key={`${shown.id} ${opening}`} open={number !== undefined} number={shown} onClose={onClose} />
    )
  )
}

const labels = { displayName: 'Display Name', isDefault: 'Default number' } as const
const fields = { displayName: 'displayName', accessToken: 'accessToken' } as const
const settingsOf = ({ displayName, isDefault }: WhatsAppNumber): NumberSettings => ({
  displayName,
  isDefault,
  accessToken: '',
})

function ConfigureForm({ open, number, onClose }: { open: boolean; number: WhatsAppNumber; onClose: () => void }) {
  const form = useForm<NumberSettings>({
    resolver: zodResolver(numberSettingsSchema),
    defaultValues: settingsOf(number),
  })
  const { control, handleSubmit, setError, formState } = form
  const conflict = useConflict({ form, record: number, valuesOf: settingsOf, labels })
  const seen = conflict.seen ?? number
  const update = useUpdateNumber()
  const submit = handleSubmit(async ({ displayName, accessToken, isDefault }) => {
    const body = {
      displayName,
      version: seen.version,
      ...(isDefault && !seen.isDefault && { isDefault: true as const }),
      ...(accessToken !== '' && { accessToken }),
    }
    try {
      await update.mutateAsync({ params: { id: number.id }, body })
      onClose()
      toast.success(`${displayName} is saved.`)
    } catch (error) {
      const current = staleRecord(error, numbersApi.update)
      if (current) conflict.merge(current)
      else if (!showFieldProblems(error, fields, setError))
        toast.error(explain(error, 'The number could not be saved. What you typed is kept. Try again.'))
    }
  })
  const { set, last4 } = number.accessToken
  return (
    <>
      <FormDialog
        open={open}
        title={`Configure ${number.displayName}`}
        submitLabel="Save Changes"
        pending={formState.isSubmitting}
        onSubmit={submit}
        onClose={onClose}
      >
        <ConflictNotice what="number" conflict={conflict} />
        <Details number={number} />
        <Field control={control} name="displayName" label="Display Name">
          {(field) => <Input {...field} autoComplete="off" maxLength={60} dir="auto" />}
        </Field>
        <Field
          control={control}
          name="accessToken"
          label="Access Token"
          hint={set ? `A token ending in ${last4} is stored. Leave this empty to keep it.` : 'No token is stored.'}
        >
          {(field) => (
            <SecretInput
              {...field}
              what="access token"
              autoComplete="off"
              maxLength={512}
              placeholder="Paste a new access token"
            />
          )}
        </Field>
        <DefaultSwitch control={control} fixed={seen.isDefault} />
      </FormDialog>
      {open && (
        <LeaveWarning
          active={formState.isDirty && !formState.isSubmitting}
          what={number.displayName}
          parameter="configure"
        />
      )}
    </>
  )
}

function DefaultSwitch({
  control,
  fixed,
}: {
  control: ReturnType<typeof useForm<NumberSettings>>['control']
  fixed: boolean
}) {
  const id = useId()
  const { field } = useController({ control, name: 'isDefault' })
  return (
    <div className={styles['switch']}>
      <Switch
        checked={field.value}
        disabled={fixed}
        onChange={field.onChange}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <span id={id}>Default number</span>
        <p id={`${id}-hint`}>
          {fixed
            ? 'It is the default. To change that, make another number the default.'
            : 'New conversations and campaigns use it unless you choose another number.'}
        </p>
      </div>
    </div>
  )
}

/** Shows what the platform grants the number. */
function Details({ number }: { number: WhatsAppNumber }) {
  const { phoneNumber, messagingLimit, throughputPerSecond, webhook, nameStatus, accessTokenExpiresAt } = number
  const { lastError, unknownFields, history } = number
  const clock = useClock(useQuery(numberListOptions()).dataUpdatedAt)
  return (
    <dl className={`${styles['facts']} ${styles['details']}`}>
      <div>
        <dt>Phone number</dt>
        <dd>{writtenPhone(phoneNumber)}</dd>
      </div>
      <div>
        <dt>Incoming messages</dt>
        <dd>{webhook.verified ? 'Received' : 'Waiting for verification'}</dd>
      </div>
      <div>
        <dt>Last webhook</dt>
        <dd>{webhook.lastEventAt ? <Timestamp {...clock} at={webhook.lastEventAt} /> : 'None yet'}</dd>
      </div>
      <div>
        <dt>Name at WhatsApp</dt>
        <dd>{nameWords[nameStatus]}</dd>
      </div>
      <div>
        <dt>Access token ends</dt>
        <dd>{accessTokenExpiresAt ? <Timestamp {...clock} at={accessTokenExpiresAt} /> : 'Never'}</dd>
      </div>
      <div>
        <dt>New customers per day</dt>
        <dd>{messagingLimit === null ? 'Unlimited' : `Up to ${formatCount(messagingLimit)}`}</dd>
      </div>
      <div>
        <dt>Throughput</dt>
        <dd>{formatCount(throughputPerSecond)} messages per second</dd>
      </div>
      {lastError && (
        <div>
          <dt>Last problem</dt>
          <dd>
            {lastError.title} (<Timestamp {...clock} at={lastError.at} />)
          </dd>
        </div>
      )}
      {history && (
        <div>
          <dt>Earlier chats</dt>
          <dd>
            {historyLabels[history.state]}
            {history.state === 'running' && ` (${history.progress} %)`}
          </dd>
        </div>
      )}
      {unknownFields.length > 0 && (
        <div>
          <dt>Webhooks of unknown kinds</dt>
          <dd>{unknownFields.map(({ field, count }) => `${field} (${formatCount(count)})`).join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}
