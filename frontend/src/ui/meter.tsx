import { Progress } from 'antd'

const colours = {
  normal: 'var(--accent)',
  warning: 'var(--warning)',
  danger: 'var(--danger)',
  quiet: 'var(--text-tertiary)',
} as const

/** A bar: how much of a limit is used, or how far something has come. It is read as a figure of its own, not in percent. */
export function Meter({
  label,
  value,
  max,
  text,
  tone = 'normal',
}: {
  label: string
  value: number
  max: number
  /** Text for screen readers: `6,580 of 25,000`. */
  text: string
  tone?: keyof typeof colours
}) {
  return (
    <Progress
      percent={max <= 0 ? 0 : Math.min(100, (value / max) * 100)}
      status="normal"
      showInfo={false}
      strokeColor={colours[tone]}
      size={{ height: 8 }}
      aria-label={label}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={text}
    />
  )
}
