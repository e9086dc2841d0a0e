import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { componentsSchema, placedTemplateSchema } from '../engine/template-definition.ts'
import { formSchema } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { ControlError, parse } from './control-error.ts'

const placedSchema = z.object({ account_id: z.string(), templates: z.array(placedTemplateSchema).max(200) })

/** All forms of an account, in place of those that it had. */
const placedFormsSchema = z.object({
  account_id: z.string(),
  forms: z
    .array(
      z.object({
        id: z.string().regex(/^\d{1,40}$/),
        name: z.string().min(1).max(200),
        status: formSchema.shape.status.default('PUBLISHED'),
        endpointUri: z.url().nullable().default(null),
      }),
    )
    .max(1000),
})

/** Serves templates and forms that exist from the beginning, and verdicts that a person or a test decides. */
export function serveControlTemplates(control: FastifyInstance, { world, templates }: Simulator): void {
  control.post('/templates', { bodyLimit: 1024 * 1024 }, async (request) => {
    const { account_id: id, templates: placed } = parse(placedSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    templates.addExisting(id, placed)
    return { count: placed.length }
  })

  control.post('/forms', async (request) => {
    const { account_id: id, forms } = parse(placedFormsSchema, request.body)
    if (!world.accounts.get(id)) throw new ControlError(404, 'There is no such account.')
    for (const form of [...world.forms.values()].filter(({ accountId }) => accountId === id))
      world.forms.remove(form.id)
    return { items: forms.map((form) => world.forms.put(form.id, { ...form, accountId: id })) }
  })

  const templateActions = [
    'approve',
    'reject',
    'pause',
    'disable',
    'recategorise',
    'impend',
    'announce',
    'quality',
    'revise',
  ] as const
  control.post<{ Params: { id: string; action: string } }>('/template/:id/:action', async (request) => {
    const template = world.templates.get(request.params.id)
    if (!template) throw new ControlError(404, 'There is no such template.')
    const action = parse(z.enum(templateActions), request.params.action)
    const { reason, category, score, event, components } = parse(
      z.object({
        reason: z.string().default('INVALID_FORMAT'),
        category: z.string().default('MARKETING'),
        score: z.string().default('YELLOW'),
        event: z.string().max(40).default('FLAGGED'),
        components: componentsSchema.optional(),
      }),
      request.body,
    )
    if (action === 'reject') return templates.reject(template, reason)
    if (action === 'recategorise') return templates.recategorise(template, category)
    if (action === 'impend') return templates.impend(template, category)
    if (action === 'announce') return templates.announce(template, event)
    if (action === 'quality') return templates.rate(template, score)
    if (action === 'revise') return templates.revise(template, components ?? template.components)
    return templates[action](template)
  })
}
