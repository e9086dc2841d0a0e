import { expect, test } from 'vitest'
import { findRoute, HttpError, route } from './http.ts'
import { html } from './pages/html.ts'

const answer = () => ({ status: 200 })
const routes = [route('GET', '/users/:id', answer), route('PUT', '/users/:id', answer)]
const find = (method: string, path: string) => findRoute(routes, method, new URL(path, 'http://provider.example'))

function statusOf(run: () => unknown): number | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof HttpError ? error.reply.status : undefined
  }
}

test('a route is found with its decoded parameters, HEAD like GET', () => {
  expect(find('GET', '/users/a%20b').params).toEqual({ id: 'a b' })
  expect(find('HEAD', '/users/1').route.method).toBe('GET')
})

test('an unknown path is 404, another method 405, a broken escape 400', () => {
  expect(statusOf(() => find('GET', '/users/1/more'))).toBe(404)
  expect(statusOf(() => find('DELETE', '/users/1'))).toBe(405)
  expect(statusOf(() => find('GET', '/users/%ff'))).toBe(400)
})

test('texts put into a page are escaped, markup is not', () => {
  expect(html`<p>${`<b a="'">&`}${html`<i>x</i>`}${false}</p>`.markup).toBe(
    '<p>&lt;b a=&quot;&#39;&quot;&gt;&amp;<i>x</i></p>',
  )
})
