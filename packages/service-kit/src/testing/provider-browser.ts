/** As much of a browser as the provider's plain pages need: cookies, forms and links, no script. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly text: string
  /** Target of a redirect that was not followed. */
  readonly location: string | null
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&lt;': '<',
  '&gt;': '>',
}
const plainText = (text: string) =>
  text.replace(/&(?:amp|quot|#39|#x27|lt|gt);/g, (entity) => entities[entity] ?? entity)
const attribute = (tag: string, name: string) => {
  const match = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)
  return match?.[1] === undefined ? undefined : plainText(match[1])
}

/** Cookies by path, as two realms of one host use the same names. All pages of a test are on one host. */
function createCookieJar() {
  const kept = new Map<string, { name: string; value: string; path: string }>()
  const covers = (path: string, pathname: string) =>
    pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return {
    keep(line: string): void {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/'
      const end = /;\s*expires=([^;]+)/i.exec(line)?.[1]
      const gone = /;\s*max-age=0\b/i.test(line) || (end !== undefined && Date.parse(end) <= Date.now())
      if (gone) kept.delete(`${path} ${name}`)
      else kept.set(`${path} ${name}`, { name, value, path })
    },
    headerFor(url: string): string {
      const { pathname } = new URL(url)
      const fitting = [...kept.values()].filter(({ path }) => covers(path, pathname))
      return fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
  }
}

const tags = (text: string, name: string) => text.match(new RegExp(`<${name}\\b[^>]*>`, 'gi')) ?? []

/** Returns what a browser sends of a form that was not filled in. */
const preset = (form: string): [string, string][] =>
  tags(form, 'input')
    .filter((tag) => attribute(tag, 'type') === 'hidden' || /type="checkbox"[^>]*\schecked/i.test(tag))
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? 'on'])

/** The link by which a page of the provider continues, where it has no button for that. */
export function actionLink({ url, text }: Pick<Page, 'url' | 'text'>): string | undefined {
  const href = tags(text, 'a')
    .map((tag) => attribute(tag, 'href'))
    .find((candidate) => candidate?.includes('/login-actions/'))
  return href && new URL(href, url).href
}

export type Browser = ReturnType<typeof createBrowser>

/** A browser that follows redirects only inside the provider's origin. */
export function createBrowser(issuer: string) {
  const origin = new URL(issuer).origin
  const cookies = createCookieJar()

  /** @param stopAt a redirect to an address that contains this text is not followed */
  async function visit(url: string, init: RequestInit = {}, stopAt?: string): Promise<Page> {
    const cookie = cookies.headerFor(url)
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...(cookie && { cookie }) } })
    for (const line of response.headers.getSetCookie()) cookies.keep(line)
    const text = await response.text()
    const location = response.headers.get('location')
    const next = location === null ? undefined : new URL(location, url)
    const stops = next?.origin !== origin || (stopAt !== undefined && next.href.includes(stopAt))
    if (response.status >= 300 && response.status < 400 && next && !stops) return visit(next.href, {}, stopAt)
    return { url, status: response.status, text, location: next?.href ?? null }
  }

  /** Submits the form that has the first of the fields, else the page's first form, with its hidden fields. */
  function submit(page: Page, fields: Record<string, string> = {}, stopAt?: string): Promise<Page> {
    const forms = page.text.match(/<form\b[\s\S]*?<\/form>/gi) ?? []
    const [first = ''] = Object.keys(fields)
    const text = forms.find((form) => form.includes(`name="${first}"`)) ?? forms[0] ?? ''
    const form = /<form\b[^>]*>/i.exec(text)?.[0] ?? ''
    const action = new URL(attribute(form, 'action') ?? page.url, page.url)
    const presetFields = preset(text).filter(([name]) => !(name in fields))
    const body = new URLSearchParams([...presetFields, ...Object.entries(fields)])
    return visit(action.href, { method: 'POST', body }, stopAt)
  }

  /** Presses the one thing to press on a page: its button, or the link that Keycloak shows in its place. */
  function proceed(page: Page): Promise<Page> {
    if (/<form\b/i.test(page.text)) return submit(page)
    const link = actionLink(page)
    if (link === undefined) throw new Error(`There is nothing to press on ${page.url}`)
    return visit(link)
  }

  /** Follows the link that has this id. */
  function follow(page: Page, id: string): Promise<Page> {
    const link = tags(page.text, 'a').find((tag) => attribute(tag, 'id') === id)
    const href = link && attribute(link, 'href')
    if (href === undefined) throw new Error(`There is no link ${id} on ${page.url}`)
    return visit(new URL(href, page.url).href)
  }

  return { visit, submit, proceed, follow }
}

/**
 * Does what a mailed link is for, as a person does: opens it, presses the button or link of its page, and fills in the form
 * to which that leads. The stand-in shows the form at once, Keycloak only after a page of its own.
 * @param fields what to type; none for a link that asks for nothing
 * @returns the page at which it ends; the first where there is nothing to press, as on the page of a used link
 */
export async function useMailLink(link: string, fields: Record<string, string> = {}): Promise<Page> {
  const browser = createBrowser(link)
  const opened = await browser.visit(link)
  const [wanted] = Object.keys(fields)
  const hasForm = (page: Page) => wanted !== undefined && page.text.includes(`name="${wanted}"`)
  const canProceed = /<form\b/i.test(opened.text) || actionLink(opened) !== undefined
  const page = hasForm(opened) || !canProceed ? opened : await browser.proceed(opened)
  return hasForm(page) ? browser.submit(page, fields) : page
}
