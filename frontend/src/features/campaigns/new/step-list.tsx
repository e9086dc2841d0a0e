import { Steps } from 'antd'
import { useState } from 'react'
import { useIsMobile } from '../../../ui/use-media.ts'
import { type Step, stepLabels, steps } from './steps.ts'

/** Shows the current step; every step up to the first unfinished one can be opened, and finished ones have a tick. */
export function StepList({ inView, open, onGo }: { inView: Step; open: Step; onGo: (step: Step) => void }) {
  const currentIndex = steps.indexOf(inView)
  const openIndex = steps.indexOf(open)
  const [furthest, setFurthest] = useState(currentIndex)
  if (currentIndex > furthest) setFurthest(currentIndex)
  const isMobile = useIsMobile()
  // Defaults are filled in already, but have not been reviewed.
  const statusOf = (index: number) =>
    index === currentIndex ? 'process' : index < Math.min(furthest, openIndex) ? 'finish' : 'wait'
  return (
    <nav aria-label="Steps">
      <Steps
        current={currentIndex}
        responsive={false}
        size="small"
        titlePlacement={isMobile ? 'vertical' : 'horizontal'}
        onChange={(index) => onGo(steps[index] ?? inView)}
        items={steps.map((step, index) => ({
          title: stepLabels[step],
          status: statusOf(index),
          disabled: index > openIndex,
          'aria-current': index === currentIndex ? 'step' : undefined,
        }))}
      />
    </nav>
  )
}
