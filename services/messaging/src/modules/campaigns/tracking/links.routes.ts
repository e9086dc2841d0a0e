import type { MoveGate } from '@parley/service-kit/data/move-gate'
import { createAddressLimit } from '@parley/service-kit/http/address-limit'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { IngestMetrics } from '../../../platform/ingest-metrics.ts'
import { isVisit } from './is-visit.ts'
import type { LinkVisits } from './link-visits.ts'

/** The ingest process alone registers these: a link of a message is opened by anybody. */
export const autoload = false

/** Requests of one address: many customers may share one in a mobile network, and a loop exceeds it. */
const addressLimit = { requests: 600, seconds: 60 }

interface Options {
  readonly linkVisits: Pick<LinkVisits, 'find' | 'note' | 'workspaceOf'>
  readonly gate: Pick<MoveGate, 'of' | 'run'>
  readonly countVisit: IngestMetrics['countVisit']
}

/**
 * Serves the counted links of messages: each redirects to the address that was stored with the message, and to no other. Opening
 * one needs no account.
 */
export async function linksRoutes(app: FastifyInstance, { linkVisits, gate, countVisit }: Options): Promise<void> {
  const limit = createAddressLimit(addressLimit)

  app.get<{ Params: { token: string } }>(
    '/l/:token',
    { config: { operation: 'links.open' } },
    async ({ ip, params, method, headers }, reply) => {
      const waitSeconds = await limit(ip)
      if (waitSeconds !== undefined) {
        countVisit('limited')
        return page(reply.header('retry-after', waitSeconds), 429, 'Too many links were opened from your network.')
      }
      const workspaceId = linkVisits.workspaceOf(params.token)
      const failed = (error: unknown) => {
        app.log.error({ err: error }, 'a link could not be looked up')
        return null
      }
      const move = workspaceId === undefined ? null : await gate.of({ workspaceId }).catch(() => undefined)
      // The cell that has the message counts the visit.
      if (move?.state === 'gone' && move.to?.links)
        return hidden(reply).redirect(`${move.to.links}/l/${params.token}`, 307)
      // It may be in neither cell at the moment.
      const isHere = move === null || move?.state === 'leaving'
      const link = isHere ? await linkVisits.find(params.token).catch(failed) : null
      if (link === null)
        return page(reply.header('retry-after', 60), 503, 'This link cannot be opened at the moment. Try again soon.')
      if (!link) {
        countVisit('unknown')
        return page(reply, 404, 'There is no such link. It may have been cut off when it was copied.')
      }
      // Noted while the workspace leaves, it would not be copied any more.
      const counts = isVisit(method, headers) && !move
      countVisit(counts ? 'opened' : 'fetched')
      if (counts) void gate.run(link, async () => linkVisits.note(link)).catch(() => countVisit('lost'))
      return hidden(reply).redirect(link.url, 302)
    },
  )
}

/** Keeps the answer out of caches, and the message's address from the website. */
const hidden = (reply: FastifyReply): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow')

const page = (reply: FastifyReply, status: number, sentence: string): FastifyReply =>
  hidden(reply)
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Link</title></head><body><p>${sentence}</p></body></html>`,
    )
