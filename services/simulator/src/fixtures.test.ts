import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesIn, hasExamples, readExample, reason } from './testing/examples.ts'
import { startReceiver, startSimulator } from './testing/start-simulator.ts'

const requests = 'meta-openapi/requests/Phone-Number-ID_messages'

describe.skipIf(!hasExamples)(`requests of the platform${reason}`, () => {
  let running: Awaited<ReturnType<typeof startSimulator>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    receiver = await startReceiver()
    running = await startSimulator({ receiver })
  })
  afterAll(async () => {
    await running.stop()
    await receiver.close()
  })

  test.each(examplesIn(requests))('the request %s is accepted', async (name) => {
    const { graph, simulatedNumber, simulator, sim } = running
    await sim('/limits', { pairDepth: null, standardPerSecond: null })
    const body = fill(readExample(`${requests}/${name}`))
    const inbound = await sim('/inbound', { from: '16505551234', type: 'text', text: { body: 'Hi' } })
    if (body['status'] === 'read') body['message_id'] = inbound.body.id
    for (const type of ['image', 'video', 'audio', 'document', 'sticker']) {
      const media = body[type] as { id?: string } | undefined
      if (media?.id)
        media.id = simulator.media.keep(
          simulatedNumber.phoneNumberId,
          { bytes: Buffer.from('x'), type: 'image/png', name: null },
          'business',
        ).id
    }
    if (body['type'] === 'template') await approve(body['template'] as SentTemplate)
    const answer = await graph('POST', `${simulatedNumber.phoneNumberId}/messages`, body)
    expect(answer.body.error?.error_data?.details ?? answer.body.error?.message).toBeUndefined()
    expect(answer.status).toBe(200)
  })

  interface SentTemplate {
    name: string
    language: { code: string }
    components?: { type: string; parameters?: { type: string }[]; sub_type?: string; index?: string | number }[]
  }

  /** Makes an approved template that the parameters of a send fit. */
  async function approve({ name, language, components = [] }: SentTemplate): Promise<void> {
    const { simulator, simulatedNumber } = running
    const of = (type: string) => components.find((component) => component.type.toLowerCase() === type)
    const variables = (count: number) =>
      Array.from({ length: count }, (_, index) => `word {{${index + 1}}} word`).join(' ')
    const buttons = components.flatMap(({ sub_type: type }) =>
      type ? [{ type: type.toUpperCase(), text: 'Open' }] : [],
    )
    const header = of('header')?.parameters?.[0]?.type
    simulator.world.templates.put(`${name}-${language.code}`, {
      id: `${name}-${language.code}`,
      accountId: simulatedNumber.accountId,
      name,
      language: language.code,
      category: 'UTILITY',
      previousCategory: null,
      status: 'APPROVED',
      rejectedReason: 'NONE',
      parameterFormat: 'POSITIONAL',
      components: [
        ...(header ? [{ type: 'HEADER', format: header.toUpperCase(), text: 'word {{1}}' }] : []),
        { type: 'BODY', text: variables(of('body')?.parameters?.length ?? 0) || 'Hello' },
        ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
      ],
      quality: 'GREEN',
      createdAt: 0,
      verdictAt: null,
      editedAt: [],
    })
  }
})

/** Replaces each placeholder of an example by a value of its own, an address where one is needed. */
function fill(value: unknown): Record<string, unknown> {
  let count = 0
  const filled = JSON.stringify(value)
    .replaceAll(/"link":"[^"]*"/g, '"link":"https://example.com/file"')
    .replaceAll('language-and-locale-code', 'en_US')
    .replaceAll(/"to":"(\{\{|<)[^"]*"/g, '"to":"16505551234"')
    .replaceAll(/"(\{\{|<)[^"]*"/g, () => `"value ${++count}"`)
  return JSON.parse(filled)
}
