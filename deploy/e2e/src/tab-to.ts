import { expect, type Page } from '@playwright/test'

/** Tabs until the control of this name has the focus, from the moment on when there is such a control. */
export async function tabTo(page: Page, name: string | RegExp, most = 60): Promise<void> {
  const isMeant = (text = '') => (typeof name === 'string' ? text === name : name.test(text))
  await expect.poll(async () => (await namesOfControls(page)).some(isMeant), `there is a control ${name}`).toBe(true)
  const hasFocus = async () => isMeant((await namesOfControls(page, ':focus'))[0])
  for (let presses = 0; presses < most && !(await hasFocus()); presses += 1) await page.keyboard.press('Tab')
  expect(await hasFocus(), `${name} has the focus`).toBe(true)
}

const namesOfControls = (page: Page, which = 'a, button, input, textarea, select, [tabindex]') =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)].map((element) => {
        const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        const label = isField ? element.labels?.[0]?.textContent : undefined
        return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
      }),
    which,
  )
