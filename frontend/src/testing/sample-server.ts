import type { Endpoint } from '@parley/contracts/core/endpoint'
import type { SampleAnswer } from '../sample/answer.ts'

const modules = import.meta.glob<{ answers: readonly SampleAnswer[] }>('../sample/domains/*.ts')

/** Every answer of the sample, of live domains too. Loaded with the page, so that both know the same workspace. */
async function allAnswers(): Promise<SampleAnswer[]> {
  const loaded = await Promise.all(Object.values(modules).map((load) => load()))
  return loaded.flatMap(({ answers }) => answers)
}

/** Static segments come before parameters: `/contacts/bulk` is no contact's id. */
const byParameters = (left: SampleAnswer, right: SampleAnswer) =>
  left.endpoint.path.split(':').length - right.endpoint.path.split(':').length

function paramsOf({ path }: Endpoint, pathname: string): Record<string, string> | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const found = new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`).exec(pathname)
  return found
    ? Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
    : undefined
}

/**
 * Answers a request as the domain's service would.
 * @param isAsked whether anybody waits for the answer.
 * @returns undefined where no domain knows the path.
 */
export async function answerFromSample(
  { method, url }: Request,
  body = '',
  isAsked = () => true,
): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(url)
  if (!pathname.startsWith('/api/')) return undefined
  const { respond } = await import('../sample/respond.ts')
  const answers = (await allAnswers()).sort(byParameters)
  if (!isAsked()) return undefined
  for (const answer of answers) {
    const params = answer.endpoint.method === method ? paramsOf(answer.endpoint, pathname) : undefined
    if (params)
      return respond(answer, {
        params,
        query: Object.fromEntries(searchParams),
        ...(body !== '' && { body: JSON.parse(body) as unknown }),
      })
  }
  return undefined
}
