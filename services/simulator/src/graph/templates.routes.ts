import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Template } from '../records.ts'
import type { Simulator } from '../simulator.ts'
import { answerWith } from './answer-with.ts'
import { unknownObject } from './graph-error.ts'

interface AccountParams {
  Params: { id: string }
}

const listQuerySchema = z.object({
  fields: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(25),
  after: z.string().max(100).optional(),
  status: z.string().max(40).optional(),
  name: z.string().max(512).optional(),
})

const usualFields = ['id', 'name', 'language', 'status', 'category', 'components', 'parameter_format']

/** A template as the API shows it: the named fields, or the usual ones. */
export function describeTemplate(template: Template, fields: readonly string[] = usualFields) {
  const all: Record<string, unknown> = {
    id: template.id,
    name: template.name,
    language: template.language,
    status: template.status,
    category: template.category,
    previous_category: template.previousCategory ?? undefined,
    components: template.components,
    parameter_format: template.parameterFormat,
    rejected_reason: template.rejectedReason,
    quality_score: { score: template.quality, date: Math.floor(template.createdAt / 1000) },
  }
  return Object.fromEntries(['id', ...fields].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

const formPageSchema = listQuerySchema.pick({ limit: true, after: true })

/** Serves `/{account}/flows`: the account's forms. */
export function serveForms(graph: FastifyInstance, { authority, world }: Simulator): void {
  graph.get<AccountParams>('/:id/flows', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const { limit, after } = formPageSchema.parse(request.query)
    const all = [...world.forms.values()].filter(({ accountId }) => accountId === account.id)
    return pageOf(request, all, { limit, after }, ({ id, name, status, endpointUri }) => ({
      id,
      name,
      status,
      categories: ['OTHER'],
      validation_errors: [],
      ...(endpointUri !== null && { endpoint_uri: endpointUri, data_api_version: '3.0' }),
    }))
  })
}

/** A page of a list as the API gives it: the address of the next one, as long as there is one. */
function pageOf<T>(
  request: FastifyRequest,
  all: readonly T[],
  { limit, after }: { limit: number; after?: string | undefined },
  show: (one: T) => object,
) {
  const start = after ? Number(Buffer.from(after, 'base64url').toString()) : 0
  const end = start + limit
  const cursor = (at: number) => Buffer.from(String(at)).toString('base64url')
  const next = new URL(request.originalUrl, `${request.protocol}://${request.host}`)
  next.searchParams.set('after', cursor(end))
  return {
    data: all.slice(start, end).map(show),
    paging: {
      cursors: { before: cursor(start), after: cursor(end) },
      ...(end < all.length && { next: next.href }),
    },
  }
}

/** `/{account}/message_templates`: list, create, delete. A single template is a node. */
export function serveTemplates(graph: FastifyInstance, { authority, world, templates, faults }: Simulator): void {
  graph.get<AccountParams>('/:id/message_templates', async (request) => {
    const account = authority.accountOf(request, request.params.id)
    const query = listQuerySchema.parse(request.query)
    const all = templates
      .ofAccount(account.id)
      .filter(
        ({ status, name }) => (!query.status || status === query.status) && (!query.name || name.includes(query.name)),
      )
    return pageOf(request, all, query, (template) => describeTemplate(template, query.fields?.split(',')))
  })

  graph.post<AccountParams>('/:id/message_templates', async (request, reply) => {
    const account = authority.accountOf(request, request.params.id)
    return answerWith(faults.effectOnTemplate(), reply, () => {
      const { id, status, category } = templates.create(account.id, request.body)
      return { id, status, category }
    })
  })

  graph.post<AccountParams>('/:id/unpause', async (request) => {
    const template = world.templates.get(request.params.id)
    if (!template) throw unknownObject(request.params.id)
    authority.accountOf(request, template.accountId)
    templates.unpause(template)
    return { success: true }
  })

  graph.delete<AccountParams & { Querystring: { name?: string; hsm_id?: string; hsm_ids?: string } }>(
    '/:id/message_templates',
    async (request) => {
      const account = authority.accountOf(request, request.params.id)
      const { name, hsm_id: id, hsm_ids: ids } = request.query
      if (ids !== undefined) {
        const list = z.array(z.string()).max(100).parse(JSON.parse(ids))
        for (const one of list) templates.remove(account.id, { id: one })
      } else templates.remove(account.id, { name, id })
      return { success: true }
    },
  )
}
