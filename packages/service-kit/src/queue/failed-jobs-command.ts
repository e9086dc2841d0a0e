import { parseArgs } from 'node:util'
import type { z } from 'zod'
import type { baseConfigShape } from '../core/config.ts'
import { createMetrics } from '../core/metrics.ts'
import { runCommand } from '../core/run-process.ts'
import { createJobRecords } from '../data/job-records.ts'
import { connectMongo } from '../data/mongo.ts'
import { createQueues } from './queues.ts'

type Shape = Pick<typeof baseConfigShape, 'NODE_ENV' | 'LOG_LEVEL'> & {
  readonly MONGODB_URL: z.ZodType<string>
  readonly REDIS_URL: z.ZodType<string>
}

/**
 * Manages work of a service that failed at every attempt. No option: lists at most 100 of each queue, and of the jobs that people have
 * started, each with its error. `--retry <id>` gives one all its attempts anew: a job goes on from its checkpoint.
 */
export const failedJobsCommand = (service: string, schema: z.ZodObject<Shape>): Promise<void> =>
  runCommand({
    name: `${service}-failed-jobs`,
    schema,
    work: async ({ MONGODB_URL, REDIS_URL }, logger) => {
      const { values } = parseArgs({ options: { retry: { type: 'string' } } })
      const name = `${service}-failed-jobs`
      const mongo = await connectMongo(MONGODB_URL, { name, logger })
      const queues = createQueues({ url: REDIS_URL, service, logger, metrics: createMetrics(name) })
      try {
        const jobs = createJobRecords(mongo)
        const names = await queues.names()
        if (values.retry === undefined) {
          for (const job of await jobs.failed()) logger.info(job, 'failed job')
          for (const queue of names)
            for (const job of await queues.jobs(queue).dead()) logger.info({ queue, ...job }, 'dead job')
          return
        }
        const id = values.retry
        // The sweep of a worker queues it.
        const isJob = /^[0-9a-f]{24}$/.test(id) && (await jobs.retry(id)) !== undefined
        let retried = isJob
        for (const queue of names) if (!retried) retried = await queues.jobs(queue).replay(id)
        if (!retried) throw new Error(`no failed job has the id ${id}`)
        logger.info({ job: id }, 'put back; a worker takes it')
      } finally {
        await queues.close(0)
        await mongo.close()
      }
    },
  })
