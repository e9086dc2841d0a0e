import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type Effect, throwInjected } from '../engine/faults.ts'

/** Carries a call out and answers, unless an injected failure prevents one of these. */
export async function answerWith(
  effect: Effect | undefined,
  reply: FastifyReply,
  work: () => object | Promise<object>,
) {
  if (effect?.kind === 'error') throwInjected(effect.code)
  if (effect?.kind === 'not_json')
    return reply.code(500).type('text/html').send('<html>Sorry, something went wrong.</html>')
  const answer = await work()
  if (effect?.kind === 'reset') return void reply.raw.socket?.resetAndDestroy()
  if (effect?.kind === 'hang') await wait(effect.ms, undefined, { ref: false })
  return answer
}
