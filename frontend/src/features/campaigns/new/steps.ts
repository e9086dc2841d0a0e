/** The steps of a new broadcast, in order; the address names the one in view. */
export const steps = ['audience', 'template', 'schedule', 'review'] as const
export type Step = (typeof steps)[number]

export const stepLabels: Record<Step, string> = {
  audience: 'Audience',
  template: 'Template',
  schedule: 'Schedule',
  review: 'Review',
}

export const stepAfter = (step: Step): Step => steps[Math.min(steps.indexOf(step) + 1, steps.length - 1)] ?? 'review'
