import Fastify from 'fastify'
import { MongoClient, ObjectId } from 'mongodb'

/** A route that reads what the thread of a conversation reads, and answers with the documents as they are. */
const { PORT = '', MONGODB_URL = '' } = process.env
const db = new MongoClient(MONGODB_URL, { readConcernLevel: 'majority' }).db()
const app = Fastify()
app.get<{ Params: { workspaceId: string; id: string } }>('/:workspaceId/:id', async ({ params }) => {
  const [workspaceId, conversationId] = [new ObjectId(params.workspaceId), new ObjectId(params.id)]
  await db.collection('conversations').findOne({ _id: conversationId, workspaceId })
  const inThread = { workspaceId, conversationId }
  return db.collection('messages').find(inThread).sort({ sentAt: -1, _id: -1 }).hint('thread').limit(51).toArray()
})
app.get('/healthz', async () => ({}))
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
