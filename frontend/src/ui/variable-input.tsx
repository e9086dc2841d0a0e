import { momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { offerEnd, offerEndsKey } from '@parley/contracts/templates/template-offers'
import { Input, type InputProps } from 'antd'
import type { ChangeEvent } from 'react'
import { useClock } from '../lib/use-clock.ts'

/** Names a template's variable for people. */
export const variableLabel = (name: string): string => (name === offerEndsKey ? 'Offer ends' : `{{${name}}}`)

type Props = Omit<InputProps, 'value' | 'onChange'> & {
  /** Key of the variable. */
  variable: string
  value: string
  onChange: (value: string) => void
}

/** Edits the value of a variable: a text, or the time at which an offer ends. */
export function VariableInput({ variable, value, onChange, ...input }: Props) {
  const changed = ({ target }: ChangeEvent<HTMLInputElement>) => onChange(target.value)
  if (variable === offerEndsKey) return <OfferEndInput {...input} value={value} onChange={onChange} />
  return <Input dir="auto" maxLength={templateLimits.value} {...input} value={value} onChange={changed} />
}

/** Edits a time by the clock of the person's zone; its value is that moment. */
export function OfferEndInput({ value, onChange, ...input }: Omit<Props, 'variable'>) {
  const { now, timeZone } = useClock(0)
  const end = offerEnd(value)
  const wall = end && wallTimeOf(end, timeZone)
  return (
    <Input
      {...input}
      type="datetime-local"
      min={`${wallTimeOf(now, timeZone).date}T00:00`}
      value={wall ? `${wall.date}T${wall.time}` : ''}
      onChange={({ target }) => {
        const [date = '', time = ''] = target.value.split('T')
        onChange(momentOf({ date, time: time.slice(0, 5) }, timeZone)?.toISOString() ?? '')
      }}
    />
  )
}
