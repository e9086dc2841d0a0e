import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MoveGate } from '../data/move-gate.ts'

/**
 * Counts the calls for each workspace, so that one which moves is known to have none: from the first line of a call to the end of its handler,
 * or of a stream, also where the caller has left. Wraps the handlers of the scope's routes.
 * @returns what lets a call in. It throws `service_unavailable` where the workspace moves or has moved.
 */
export function countCalls(scope: FastifyInstance, gate: Pick<MoveGate, 'enter'>) {
  const leaves = new WeakMap<FastifyRequest, () => void>()
  const handled = new WeakSet<FastifyRequest>()
  const leave = (request: FastifyRequest): void => {
    leaves.get(request)?.()
    leaves.delete(request)
  }
  scope.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = async function (request, reply) {
      handled.add(request)
      try {
        return await handler.call(this, request, reply)
      } finally {
        leave(request)
      }
    }
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const workspaceId = request.caller?.claims.wid
    if (!workspaceId) return
    leaves.set(request, await gate.enter({ workspaceId }))
    // Refused by a later check, or gone before its body had come.
    const end = () => {
      if (!handled.has(request)) leave(request)
    }
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)
  }
}
