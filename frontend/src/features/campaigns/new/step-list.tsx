import CheckOutlined from '@ant-design/icons/CheckOutlined'
import { useState } from 'react'
import styles from './new-broadcast.module.css'
import { type Step, steps, stepWords } from './steps.ts'

/** Where a person is; every step up to the first unfinished one can be opened, and those left behind have a tick. */
export function StepList({ inView, open, onGo }: { inView: Step; open: Step; onGo: (step: Step) => void }) {
  const place = steps.indexOf(inView)
  const [furthest, setFurthest] = useState(place)
  if (place > furthest) setFurthest(place)
  return (
    <nav aria-label="Steps">
      <ol className={styles['steps']}>
        {steps.map((step, index) => {
          // What goes without saying is filled in already, but has not been looked at.
          const done = index < Math.min(furthest, steps.indexOf(open)) && step !== inView
          return (
            <li key={step}>
              <button
                type="button"
                className={styles['step']}
                aria-current={step === inView ? 'step' : undefined}
                disabled={index > steps.indexOf(open)}
                onClick={() => onGo(step)}
              >
                <span className={styles['number']} data-done={done || undefined}>
                  {done ? <CheckOutlined aria-label="Done" /> : index + 1}
                </span>
                <span className={styles['stepName']}>{stepWords[step]}</span>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
