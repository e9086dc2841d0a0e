import { z } from 'zod'
import { runCommand } from '../core/run-process.ts'
import { connectMongo } from '../data/mongo.ts'
import { createSequencer } from '../data/sequencer.ts'

/** A process that numbers events until it is killed. */
await runCommand({
  name: 'sequencer',
  schema: z.object({ MONGODB_URL: z.string() }),
  work: async ({ MONGODB_URL }, logger) => {
    const connection = await connectMongo(MONGODB_URL, { name: 'sequencer', logger })
    const { sweep } = createSequencer({ connection, consumers: [{ consumer: 'copy' }] })
    for (;;) await sweep().catch((error: unknown) => logger.warn({ err: error }, 'sweep failed'))
  },
})
