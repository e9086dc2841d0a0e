import { loaded, networkRests } from '../src/inspect.ts'
import { takeShot } from '../src/take-shot.ts'
import { expect, test } from './fixtures.ts'

const expectSoon = expect.configure({ soft: true })

const lists = [
  ['/contacts', 'main ul[aria-label="Contacts"] > li'],
  ['/broadcasts', 'main ul[aria-label="Campaigns"] > li'],
  ['/templates', 'main ul[aria-label="Templates"] > li'],
] as const

test('on a phone a list of people, campaigns or templates begins in the upper part of the screen', async ({
  page,
  viewer: _viewer,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, first] of lists) {
    await page.goto(path)
    await networkRests(page)
    await loaded(page)
    await takeShot(page, `the first row of ${path.slice(1)}, phone`)
    const top = async () => (await page.locator(first).first().boundingBox())?.y
    await expectSoon.poll(top, path).toBeLessThan(320)
  }
})
