import mongoose from 'mongoose'
import { z } from 'zod'
import { connectMongo } from '../data/mongo.ts'
import { runWorker, workerConfigShape } from '../queue/run-worker.ts'

/** A worker process of tests: it takes a lane's items, oldest first, and writes down what it did. */
interface Item {
  _id: number
  lane: number
  done: boolean
  at: Date
}

await runWorker({
  name: 'test-worker',
  service: 'test',
  schema: z.object({ ...workerConfigShape, MONGODB_URL: z.string() }),
  start: async ({ MONGODB_URL }, { logger, queues }) => {
    const mongo = await connectMongo(MONGODB_URL, { name: 'test-worker', logger })
    const items = mongo.collection<Item>('items')
    const effects = mongo.collection<{ _id: mongoose.mongo.ObjectId; item: number; lane: number }>('effects')

    /** Ten items and their effects in one transaction. A `slow` document holds a batch until it is deleted. */
    async function drain(lane: number): Promise<boolean> {
      const session = await mongo.startSession()
      let size = 0
      try {
        await session.withTransaction(async () => {
          const batch = await items.find({ lane, done: false }, { session }).sort({ _id: 1 }).limit(10).toArray()
          size = batch.length
          if (size === 0) return
          const ids = batch.map(({ _id }) => _id)
          await items.updateMany({ _id: { $in: ids } }, { $set: { done: true } }, { session })
          await effects.insertMany(
            ids.map((item) => ({ _id: new mongoose.mongo.ObjectId(), item, lane })),
            { session },
          )
        })
      } finally {
        await session.endSession()
      }
      while (await mongo.collection('slow').findOne()) await new Promise((resolve) => setTimeout(resolve, 20))
      return size === 10
    }

    queues.workLanes('drain', {
      drain,
      pendingLanes: () => items.distinct('lane', { done: false, at: { $lt: new Date(Date.now() - 500) } }),
      sweepMs: 500,
    })
    return {
      probes: [],
      pendingSince: async () => ({
        drain: (await items.find({ done: false }).sort({ at: 1 }).limit(1).next())?.at,
        paced: new Date(0),
      }),
      paced: ['paced'],
      stoppedSince: async () => ({ person: new Date(0) }),
      close: () => mongo.close(),
    }
  },
})
