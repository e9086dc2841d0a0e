import { parseArgs } from 'node:util'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { freePort } from '@parley/service-kit/testing/free-port'
import { ObjectId } from 'mongodb'
import { inRounds, runLoad } from '../load.ts'
import { startOwnServer } from '../messaging/own-server.ts'
import { startNode, withCleanUp } from '../program.ts'
import { loadNow, log, report } from '../report.ts'
import { seedWorkspace } from '../seed/seed-workspace.ts'
import { production } from '../stack.ts'

/**
 * `npm run bench -- thread`: what the service adds to a thread of nine messages, against a bare route that reads the same documents, in
 * turns: asked by one after the other, and by many at once. Only ratios are compared.
 */
const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
})
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)]
const messages = 9
const maxTimes = 1.2

console.log(`load before the run ${loadNow()}; ${rounds} rounds of ${seconds} s`)
await withCleanUp(run)

async function run(cleanUp: AsyncDisposableStack): Promise<void> {
  const { db, env, folder, headersOf } = await startOwnServer(cleanUp)
  const workspace = new ObjectId()
  const workspaceId = workspace.toHexString()
  await seedWorkspace(db, workspace, { sizes: { contacts: 2, conversations: 2, messages: 2 * messages } })
  const conversation = await db.collection('conversations').findOne({ workspaceId: workspace })
  const id = String(conversation?._id)
  const stored = await db.collection('messages').countDocuments({ conversationId: conversation?._id })
  if (stored !== messages) throw new Error(`the thread has ${stored} messages`)
  const port = String(await freePort())
  const { MONGODB_URL = '' } = env.messaging
  const script = 'deploy/bench/src/thread/bare-thread.process.ts'
  cleanUp.use(await startNode({ name: 'bare', script, env: { ...production, PORT: port, MONGODB_URL }, folder }))

  const path = messagesApi.list.path.replace(':id', id)
  const ofService = async (connections: number, time: number) =>
    runLoad({
      url: `http://127.0.0.1:${env.messaging['PORT']}${path}`,
      headers: await headersOf(workspaceId),
      connections,
      seconds: time,
    })
  const ofBare = (connections: number, time: number) =>
    runLoad({ url: `http://127.0.0.1:${port}/${workspaceId}/${id}`, connections, seconds: time })
  for (const warmUp of [ofService, ofBare]) await warmUp(16, 3)
  const measures = []
  for (const connections of [1, 16]) {
    log(`${connections} at once …`)
    const { service = [], bare = [] } = await inRounds(rounds, {
      service: () => ofService(connections, seconds),
      bare: () => ofBare(connections, seconds),
    })
    const times = service.map((of, round) => (bare[round]?.requestsPerSecond ?? 0) / of.requestsPerSecond)
    measures.push({ name: `time of the bare route, ${connections} at once`, values: times, goal: { atMost: maxTimes } })
  }
  report(measures)
}
