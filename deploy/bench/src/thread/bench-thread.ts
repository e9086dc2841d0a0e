import { parseArgs } from 'node:util'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { freePort } from '@parley/service-kit/testing/free-port'
import { ObjectId } from 'mongodb'
import { inTurns } from '../load.ts'
import { startOwnServer } from '../messaging/own-server.ts'
import { startNode, withCleanUp } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { seedWorkspace } from '../seed/seed-workspace.ts'
import { production } from '../stack.ts'

/**
 * `npm run bench -- thread`: what the service adds to a thread of nine messages, against a bare route that reads the same documents, in
 * turns: asked by one after the other, and by many at once. Only ratios are compared.
 */
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(flags.rounds)
/** Requests of a round: a workspace may send 2,000 in ten seconds, so that each round has one of its own. */
const count = 1500
const messages = 9
const maxTimes = 1.2

console.log(`load before the run ${loadNow()}; ${rounds} rounds of ${count} requests`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const { db, env, folder, headersOf } = await startOwnServer(cleanUp)
  async function makeThread() {
    const workspace = new ObjectId()
    await seedWorkspace(db, workspace, { sizes: { contacts: 2, conversations: 2, messages: 2 * messages } })
    const conversation = await db.collection('conversations').findOne({ workspaceId: workspace })
    const stored = await db.collection('messages').countDocuments({ conversationId: conversation?._id })
    if (stored !== messages) throw new Error(`the thread has ${stored} messages`)
    return { workspaceId: workspace.toHexString(), id: String(conversation?._id) }
  }
  const port = String(await freePort())
  const { MONGODB_URL = '' } = env.messaging
  const script = 'deploy/bench/src/thread/bare-thread.process.ts'
  cleanUp.use(await startNode({ name: 'bare', script, env: { ...production, PORT: port, MONGODB_URL }, folder }))

  type Thread = Awaited<ReturnType<typeof makeThread>>
  const ofService = async ({ workspaceId, id }: Thread, connections: number) => {
    const url = `http://127.0.0.1:${env.messaging['PORT']}${messagesApi.list.path.replace(':id', id)}`
    return millisecondsOf(url, await headersOf(workspaceId), connections)
  }
  const ofBare = ({ workspaceId, id }: Thread, connections: number) =>
    millisecondsOf(`http://127.0.0.1:${port}/${workspaceId}/${id}`, {}, connections)
  const measures = []
  for (const connections of [1, 16]) {
    log(`${connections} at once …`)
    const times: number[] = []
    // The first round is not counted.
    for (let round = -1; round < rounds; round += 1) {
      const thread = await makeThread()
      const [first, second] = round % 2 === 0 ? [ofService, ofBare] : [ofBare, ofService]
      const ms = new Map([[first, await first(thread, connections)]])
      ms.set(second, await second(thread, connections))
      if (round >= 0) times.push((ms.get(ofService) ?? Number.NaN) / (ms.get(ofBare) ?? Number.NaN))
    }
    measures.push({ name: `time of the bare route, ${connections} at once`, values: times, goal: { atMost: maxTimes } })
  }
  report(measures)
}

/** Time that the requests of a round take, so many at once. @throws where an answer is a refusal. */
async function millisecondsOf(url: string, headers: Record<string, string>, atOnce: number): Promise<number> {
  const begun = performance.now()
  await inTurns({ count, atOnce }, async () => {
    const answer = await fetch(url, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  })
  return performance.now() - begun
}
