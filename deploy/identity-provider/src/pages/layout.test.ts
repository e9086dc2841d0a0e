import { expect, test } from 'vitest'
import { html } from './layout.ts'

test('texts put into a page are escaped, markup is not', () => {
  expect(html`<p>${`<b a="'">&`}${html`<i>x</i>`}${false}</p>`.markup).toBe(
    '<p>&lt;b a=&quot;&#39;&quot;&gt;&amp;<i>x</i></p>',
  )
})
