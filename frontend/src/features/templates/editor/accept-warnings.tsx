import { openWarnings, type TemplateFinding, type WarningRule } from '@parley/contracts/templates/template-findings'
import { Checkbox } from 'antd'
import { useId } from 'react'
import styles from './editor.module.css'

/** Lists what WhatsApp may reject: each is ticked by the person who sends the template anyway. */
export function AcceptWarnings({
  findings,
  accepted,
  isAsked,
  onChange,
}: {
  findings: readonly TemplateFinding[]
  accepted: readonly WarningRule[]
  /** Set after an attempt to send it without. */
  isAsked: boolean
  onChange: (accepted: WarningRule[]) => void
}) {
  const id = useId()
  const warnings = findings.flatMap((finding) => (finding.level === 'warning' ? [finding] : []))
  const rules = [...new Set(warnings.map(({ rule }) => rule))]
  if (rules.length === 0) return null
  const isMissing = isAsked && openWarnings(findings, accepted).length > 0
  return (
    <fieldset className={styles['group']} aria-describedby={isMissing ? `${id}-missing` : `${id}-lead`}>
      <legend>Before you send it</legend>
      <p id={`${id}-lead`} className={styles['lead']}>
        WhatsApp may reject or re-categorize the template for these reasons. Change it, or tick what you want to keep.
      </p>
      <ul className={styles['warnings']}>
        {rules.map((rule) => (
          <li key={rule}>
            <Checkbox
              data-warning={rule}
              checked={accepted.includes(rule)}
              onChange={({ target }) =>
                onChange(target.checked ? [...accepted, rule] : accepted.filter((other) => other !== rule))
              }
            >
              {[...new Set(warnings.filter((one) => one.rule === rule).map(({ message }) => message))].join('. ')}
            </Checkbox>
          </li>
        ))}
      </ul>
      {isMissing && (
        <p id={`${id}-missing`} className={styles['problem']} role="alert">
          Tick each of these to send the template as it is.
        </p>
      )}
    </fieldset>
  )
}

/** The first box that is not ticked gets the focus. */
export function focusFirstOpen(open: readonly TemplateFinding[]): void {
  const [first] = open
  if (first)
    document
      .querySelector<HTMLInputElement>(`[data-warning="${first.rule}"] input, input[data-warning="${first.rule}"]`)
      ?.focus()
}
