import { type ReactNode, useEffect, useRef } from 'react'
import styles from './new-broadcast.module.css'
import { type Step, stepLabels } from './steps.ts'

const leads: Record<Step, string> = {
  audience: 'Who gets the message? People who opted out or are blocked are excluded automatically.',
  template: 'Which message do they get, and what fills in its variables?',
  schedule: 'When does it start, and from which number?',
  review: 'Check everything once more before it is sent.',
}

/** Names the step; after a change of step, screen readers and Tab continue from here. */
export function StepHeading({ step, children }: { step: Step; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The first step's first field has the focus already.
    if (document.activeElement === document.body || document.activeElement instanceof HTMLButtonElement)
      heading.current?.focus()
  }, [])
  return (
    <div className={styles['top']}>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        {stepLabels[step]}
      </h2>
      {children}
      <p className={styles['lead']}>{leads[step]}</p>
    </div>
  )
}
