import { expect, inject, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { connectMongo, translateMongoError } from '../data/mongo.ts'
import { openBreakableLink } from '../testing/breakable-link.ts'

test('a database that stands still with its connections open is given up in seconds, with the calls that wait for it', {
  timeout: 12_000,
}, async () => {
  const { mongodb } = inject('stack').urls
  const link = await openBreakableLink(mongodb)
  const url = `mongodb://127.0.0.1:${link.port}/frozen?directConnection=true`
  const connection = await connectMongo(url, { name: 'test', logger: createLogger({ name: 'test', level: 'silent' }) })
  try {
    const ping = () => connection.db?.command({ ping: 1 })
    await ping()
    link.silence()
    const failure: unknown = await ping()?.catch((error: unknown) => error)
    expect(translateMongoError(failure)).toMatchObject({ code: 'service_unavailable' })
  } finally {
    link.mend()
    await connection.close()
    await link.close()
  }
})
