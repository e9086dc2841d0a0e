import type { NumberCheck, WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { useLast } from '../../lib/use-last.ts'
import { InfoDialog } from '../../ui/dialog.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useCheckNumber } from './api.ts'
import styles from './checks-dialog.module.css'
import { NumberEvents } from './number-events.tsx'
import { checkLabels, notSent, stepLabels } from './number-labels.ts'

interface Props {
  /** Absent while the dialog is closed. */
  readonly number: WhatsAppNumber | undefined
  readonly onClose: () => void
}

/** Shows the checks of a number's connection, step by step; each can be tried again. */
export function ChecksDialog({ number, onClose }: Props) {
  const shown = useLast(number)
  const check = useCheckNumber()
  if (!shown) return null
  const tryAgain = (body: Parameters<typeof check.mutate>[0]['body']) =>
    check.mutate(
      { params: { id: shown.id }, body },
      { onError: (error) => toast.error(explain(error, 'The connection could not be checked. Try again.')) },
    )
  const under = check.isPending ? check.input?.body : undefined
  return (
    <InfoDialog open={number !== undefined} title={`Connection of ${shown.displayName}`} width={560} onClose={onClose}>
      {shown.stopped && (
        <p className={styles['stopped']} role="alert">
          <b>{notSent[shown.stopped.what]}</b> {shown.stopped.reason} {shown.stopped.advice}
        </p>
      )}
      <ol className={styles['steps']}>
        {shown.checks.map((step) => (
          <Step
            key={step.step}
            check={step}
            pending={under?.steps?.includes(step.step) === true}
            disabled={check.isPending}
            onTry={() => tryAgain({ steps: [step.step] })}
          >
            {step.step === 'registration' && step.state === 'failed' && (
              <Pin pending={under?.pin !== undefined} onEnter={(pin) => tryAgain({ pin })} />
            )}
          </Step>
        ))}
      </ol>
      <Button loading={check.isPending && under?.steps === undefined && !under?.pin} onClick={() => tryAgain({})}>
        Check Everything Again
      </Button>
      {number && <NumberEvents number={number} />}
    </InfoDialog>
  )
}

function Step({
  check: { step, state, message, advice },
  pending,
  disabled,
  onTry,
  children,
}: {
  check: NumberCheck
  pending: boolean
  disabled: boolean
  onTry: () => void
  children: React.ReactNode
}) {
  const { word, tone } = checkLabels[state]
  return (
    <li className={styles['step']}>
      <span className={styles['head']}>
        <b>{stepLabels[step]}</b>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </span>
      <p dir="auto">{message}</p>
      {state === 'failed' && advice && <p className={styles['advice']}>{advice}</p>}
      {children}
      {state !== 'passed' && (
        <Button size="small" loading={pending} disabled={disabled && !pending} onClick={onTry}>
          Try Again<span className="visually-hidden">: {stepLabels[step]}</span>
        </Button>
      )}
    </li>
  )
}

/** Registers a number with the PIN of its two-step verification. */
function Pin({ pending, onEnter }: { pending: boolean; onEnter: (pin: string) => void }) {
  const id = useId()
  const [pin, setPin] = useState('')
  return (
    <form
      className={styles['pin']}
      onSubmit={(event) => {
        event.preventDefault()
        if (pin.length === 6) onEnter(pin)
      }}
    >
      <label htmlFor={id}>Six-digit PIN</label>
      <Input
        id={id}
        value={pin}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        onChange={({ target }) => setPin(target.value.replace(/\D/g, ''))}
      />
      <Button htmlType="submit" loading={pending} disabled={pin.length !== 6}>
        Register Number
      </Button>
    </form>
  )
}
