/** As much of a browser as the provider's plain pages need: cookies, forms and links, no script. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly text: string
  /** Where a redirect that was not followed leads. */
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
    const hidden = (text.match(/<input\b[^>]*type="hidden"[^>]*>/gi) ?? []).map((tag): [string, string] => [
      attribute(tag, 'name') ?? '',
      attribute(tag, 'value') ?? '',
    ])
    const action = new URL(attribute(form, 'action') ?? page.url, page.url)
    const given = hidden.filter(([name]) => !(name in fields))
    const body = new URLSearchParams([...given, ...Object.entries(fields)])
    return visit(action.href, { method: 'POST', body }, stopAt)
  }

  /** Presses the one thing to press on a page: its button, or the link that Keycloak shows in its place. */
  function proceed(page: Page): Promise<Page> {
    if (/<form\b/i.test(page.text)) return submit(page)
    const links = page.text.match(/<a\b[^>]*>/gi) ?? []
    const link = links.map((tag) => attribute(tag, 'href')).find((href) => href?.includes('/login-actions/'))
    if (link === undefined) throw new Error(`There is nothing to press on ${page.url}`)
    return visit(new URL(link, page.url).href)
  }

  /** Follows the link that has this id. */
  function follow(page: Page, id: string): Promise<Page> {
    const link = (page.text.match(/<a\b[^>]*>/gi) ?? []).find((tag) => attribute(tag, 'id') === id)
    const href = link && attribute(link, 'href')
    if (href === undefined) throw new Error(`There is no link ${id} on ${page.url}`)
    return visit(new URL(href, page.url).href)
  }

  return { visit, submit, proceed, follow }
}
