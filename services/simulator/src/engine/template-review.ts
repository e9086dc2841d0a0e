import { GraphError } from '../graph/graph-error.ts'
import type { Template } from '../records.ts'
import type { World } from '../world.ts'
import type { createTemplateEvents } from './template-events.ts'

const pauseMs = 3 * 3600_000

/** Reviews templates: a name may carry the verdict (`reject_`, `recat_`, `pause_`). */
export function createTemplateReview(
  { clock, templates }: World,
  { setStatus, recategorise }: Pick<ReturnType<typeof createTemplateEvents>, 'setStatus' | 'recategorise'>,
) {
  function scheduleVerdict({ id, verdictAt }: Template): void {
    if (verdictAt === null) return
    clock.at(verdictAt, () => {
      const template = templates.get(id)
      if (template?.status === 'PENDING' && template.verdictAt === verdictAt) decide(template)
    })
  }

  function decide(template: Template): void {
    if (template.name.includes('reject_')) return void reject(template, 'INVALID_FORMAT')
    const approved = approve(template)
    if (template.name.includes('recat_')) recategorise(approved, 'MARKETING')
    if (template.name.includes('pause_')) pause(approved)
  }

  const approve = (template: Template) => setStatus(template, 'APPROVED', { event: 'APPROVED' })

  const reject = (template: Template, reason: string) =>
    setStatus({ ...template, rejectedReason: reason }, 'REJECTED', {
      event: 'REJECTED',
      reason,
      rejection_info: {
        reason: 'The template does not follow the format rules.',
        recommendation: 'Correct the format and submit the template again.',
      },
    })

  function pause(template: Template): Template {
    const paused = setStatus(template, 'PAUSED', {
      event: 'PAUSED',
      other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours.' },
    })
    clock.at(clock.now() + pauseMs, () => {
      const now = templates.get(template.id)
      if (now?.status === 'PAUSED') setStatus(now, 'APPROVED', { event: 'REINSTATED' })
    })
    return paused
  }

  /** @throws GraphError where the template is not paused. */
  function unpause(template: Template): Template {
    if (template.status !== 'PAUSED')
      throw new GraphError(100, { message: '(#100) Invalid parameter', details: 'Message template is not paused' })
    return setStatus(template, 'APPROVED', { event: 'REINSTATED' })
  }

  const disable = (template: Template) =>
    setStatus(template, 'DISABLED', {
      event: 'DISABLED',
      disable_info: { disable_date: Math.floor(clock.now() / 1000) },
    })

  const resume = () => {
    for (const template of templates.values()) if (template.status === 'PENDING') scheduleVerdict(template)
  }
  return { scheduleVerdict, approve, reject, pause, unpause, disable, resume }
}
