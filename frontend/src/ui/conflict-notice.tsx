import { Alert, Button, Radio } from 'antd'
import { type ComponentRef, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import type { Difference } from '../lib/differences.ts'
import type { Conflict } from '../lib/use-conflict.ts'
import styles from './conflict-notice.module.css'

/** Stands over a form whose save was refused because of another: what they changed, and a choice where both changed it. */
export function ConflictNotice<V extends FieldValues>({
  what,
  conflict,
  wordsOf,
  onSettled,
}: {
  what: string
  conflict: Conflict<V>
  /** Says a value that is no text of its own, an id for example. */
  wordsOf?: (name: Path<V>, value: unknown) => string | undefined
  /** Called in a form that saves by itself, once the person has seen it and chosen. */
  onSettled?: () => void
}) {
  const { differences, labels, choose } = conflict
  const notice = useRef<ComponentRef<typeof Alert>>(null)
  // A form that saves by itself was not saved by a button: the notice stays in place while the person types on.
  const isShown = differences.length > 0
  const announced = onSettled ? differences.length : differences
  useEffect(() => {
    // The button that was pressed may be a long way below.
    if (isShown && announced) notice.current?.nativeElement.scrollIntoView({ block: 'center' })
  }, [announced, isShown])
  if (!isShown) return null
  const isContested = differences.some((difference) => difference.isContested)
  return (
    <Alert
      ref={notice}
      type="warning"
      showIcon
      className={styles['notice'] ?? ''}
      title={`This ${what} was changed elsewhere while you were editing`}
      description={
        <>
          <p className={styles['lead']}>
            {isContested
              ? `Nothing is saved yet. Choose what to keep, then save${onSettled ? '' : ' again'}.`
              : `Their changes are in the form now, and yours are kept.${onSettled ? '' : ' Save again.'}`}
          </p>
          <dl className={styles['fields']}>
            {differences.map((difference) => (
              <div key={difference.name}>
                <dt>{labels[difference.name]}</dt>
                <dd>
                  {difference.isContested ? (
                    <Choice
                      label={labels[difference.name] ?? difference.name}
                      difference={difference}
                      says={(value) => wordsOf?.(difference.name, value) ?? textOf(value)}
                      onChoose={(whose) => choose(difference, whose)}
                    />
                  ) : (
                    <span dir="auto">{wordsOf?.(difference.name, difference.theirs) ?? textOf(difference.theirs)}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          {onSettled && (
            <Button className={styles['settle'] ?? ''} onClick={onSettled}>
              {isContested ? 'Save' : 'Got it'}
            </Button>
          )}
        </>
      }
    />
  )
}

function Choice<N extends string>({
  label,
  difference: { mine, theirs },
  says,
  onChoose,
}: {
  label: string
  difference: Difference<Path<Record<N, unknown>>>
  says: (value: unknown) => string
  onChoose: (whose: 'mine' | 'theirs') => void
}) {
  const [whose, setWhose] = useState<'mine' | 'theirs'>('mine')
  return (
    <Radio.Group
      aria-label={label}
      className={styles['choice'] ?? ''}
      value={whose}
      onChange={({ target }) => {
        const chosen = target.value === 'theirs' ? 'theirs' : 'mine'
        setWhose(chosen)
        onChoose(chosen)
      }}
      options={[
        { value: 'mine', label: <Value whose="Yours" text={says(mine)} /> },
        { value: 'theirs', label: <Value whose="Theirs" text={says(theirs)} /> },
      ]}
    />
  )
}

const Value = ({ whose, text }: { whose: string; text: string }) => (
  <>
    <b>{whose}:</b> <span dir="auto">{text}</span>
  </>
)

const maxShown = 120

/** A field's value in a few words. */
function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : shortened(value.map(textOf).join(', '))
  if (typeof value === 'object') return shortened(Object.values(value).map(textOf).join(' · '))
  const text = String(value)
  return text.startsWith('data:') ? 'another picture' : shortened(text)
}

const shortened = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)
