import { useEffect, useRef } from 'react'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { LeaveWarning } from '../../../ui/leave-warning.tsx'
import { CheckedStep } from './checked-step.tsx'
import { ChooseStep } from './choose-step.tsx'
import { DoneStep } from './done-step.tsx'
import styles from './import-panel.module.css'
import { MapStep } from './map-step.tsx'
import { RunningStep } from './running-step.tsx'
import { useImport } from './use-import.ts'

const titles = { choose: 'Choose a file', map: 'Match the columns', running: '', checked: 'Check the result', done: '' }

/**
 * Contacts from a CSV file: choose, match columns, try without changing anything, import, undo.
 * @param onClose stable (`useCallback`).
 */
export function ImportPanel({ onClose, onShow }: { onClose: () => void; onShow: () => void }) {
  const flow = useImport()
  useScreenDepth('Import contacts', onClose)
  const { step } = flow
  const card = useRef<HTMLDivElement>(null)
  const first = useRef(step.kind)
  // The button that led here is gone: keyboard and screen reader go on at the new step.
  useEffect(() => {
    if (step.kind !== first.current) card.current?.focus()
    first.current = step.kind
  }, [step.kind])
  const isOpen = step.kind === 'map' || step.kind === 'running' || step.kind === 'checked'
  return (
    <section className={styles['panel']} aria-label="Import contacts">
      <div ref={card} tabIndex={-1} className={styles['card']}>
        {titles[step.kind] && <h2 className={styles['title']}>{titles[step.kind]}</h2>}
        {step.kind === 'choose' && <ChooseStep {...step} onFile={(file) => void flow.choose(file)} />}
        {step.kind === 'map' && <MapStep flow={flow} problem={step.problem} />}
        {step.kind === 'running' && <RunningStep {...step} onCancel={flow.cancel} />}
        {step.kind === 'checked' && <CheckedStep flow={flow} outcome={step.outcome} />}
        {step.kind === 'done' && <DoneStep flow={flow} step={step} onShow={onShow} />}
      </div>
      <LeaveWarning active={isOpen} what="this import" parameter="import" />
    </section>
  )
}
