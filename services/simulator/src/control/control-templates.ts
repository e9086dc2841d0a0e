import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Simulator } from '../simulator.ts'
import { ControlError, parse } from './control-error.ts'

/** Verdicts on templates that a person or a test decides. */
export function serveControlTemplates(control: FastifyInstance, { world, templates }: Simulator): void {
  const templateActions = ['approve', 'reject', 'pause', 'disable', 'recategorise', 'quality'] as const
  control.post<{ Params: { id: string; action: string } }>('/template/:id/:action', async (request) => {
    const template = world.templates.get(request.params.id)
    if (!template) throw new ControlError(404, 'There is no such template.')
    const action = parse(z.enum(templateActions), request.params.action)
    const { reason, category, score } = parse(
      z.object({
        reason: z.string().default('INVALID_FORMAT'),
        category: z.string().default('MARKETING'),
        score: z.string().default('YELLOW'),
      }),
      request.body,
    )
    if (action === 'reject') return templates.reject(template, reason)
    if (action === 'recategorise') return templates.recategorise(template, category)
    if (action === 'quality') return templates.rate(template, score)
    return templates[action](template)
  })
}
