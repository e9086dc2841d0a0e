import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { templatesApi } from '@parley/contracts/templates/template-endpoints'
import { keepPreviousData, queryOptions, useQueries } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api.ts'
import { contactChoice } from '../../lib/choices/contacts.ts'
import { foundKeys } from '../../lib/query-keys.ts'
import { paths } from '../paths.ts'
import styles from './command-menu.module.css'

interface Found {
  readonly key: string
  readonly title: string
  /** Shown after the title: text of a message, state of a campaign. */
  readonly detail?: string
  readonly to: string
}

interface Domain {
  readonly heading: string
  readonly find: (q: string, signal: AbortSignal) => Promise<readonly Found[]>
}

const perDomain = 5
const pauseMs = 200
const staleMs = 10_000

const to = (path: string, parameters: Record<string, string>) => `${path}?${new URLSearchParams(parameters)}`

const domains: readonly Domain[] = [
  {
    heading: 'Contacts',
    find: async (q, signal) => {
      const { items } = await call(contactsApi.list, { query: { q, tags: undefined, limit: perDomain }, signal })
      return items.map((contact) => {
        const { value, label } = contactChoice(contact)
        return { key: value, title: label, to: `${paths.contacts}/${value}` }
      })
    },
  },
  {
    heading: 'Conversations',
    find: async (q, signal) => {
      const { items } = await call(conversationsApi.list, { query: { q, show: 'all', limit: perDomain }, signal })
      return items.map(({ id, contact, lastMessage }) => ({
        key: id,
        title: `Conversation with ${contact.name}`,
        detail: lastMessage.text,
        to: to(paths.conversations, { id }),
      }))
    },
  },
  {
    heading: 'Messages',
    find: async (q, signal) => {
      const { items } = await call(messagesApi.search, { query: { q }, signal })
      return items.slice(0, perDomain).map(({ message, conversation: { id, contact } }) => ({
        key: message.id,
        title: message.direction === 'inbound' ? contact.name : `To ${contact.name}`,
        detail: 'text' in message.content ? message.content.text : '',
        to: to(paths.conversations, { id, message: message.id }),
      }))
    },
  },
  {
    heading: 'Campaigns',
    find: async (q, signal) => {
      const { items } = await call(campaignsApi.list, { query: { q, status: undefined, limit: perDomain }, signal })
      return items.map(({ id, name, status }) => ({
        key: id,
        title: name === '' ? 'Draft without a name' : name,
        detail: status,
        to: to(paths.campaigns, status === 'draft' ? { draft: id } : { id }),
      }))
    },
  },
  {
    heading: 'Templates',
    find: async (q, signal) => {
      const query = { q, status: undefined, category: undefined, language: undefined, limit: perDomain }
      const { items } = await call(templatesApi.list, { query, signal })
      return items.map(({ id, name, status }) => ({
        key: id,
        title: name,
        detail: status,
        to: to(paths.templates, { details: id }),
      }))
    },
  },
]

const foundOptions = ({ heading, find }: Domain, q: string) =>
  queryOptions({
    queryKey: foundKeys.of(heading, q),
    queryFn: ({ signal }) => find(q, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: staleMs,
    // The menu is closed before a second try would have ended.
    retry: false,
  })

/**
 * Records of the workspace that match what is typed, a few of each kind. What cannot be read, for want of a permission too, has no
 * group.
 */
export function FoundRecords({ search, onChoose }: { search: string; onChoose: (to: string) => void }) {
  const q = usePaused(search.trim().slice(0, 100))
  const results = useQueries({ queries: domains.map((domain) => foundOptions(domain, q)) })
  const isReading = results.some(({ isFetching }) => isFetching)
  return (
    <>
      {domains.map(({ heading }, index) => {
        const found = results[index]?.data ?? []
        if (found.length === 0) return null
        return (
          <Command.Group key={heading} heading={heading}>
            {found.map(({ key, title, detail, to: address }) => (
              // The server has found it: what is typed is a keyword, so that the menu keeps it.
              <Command.Item
                key={key}
                value={`${heading} ${key}`}
                keywords={[search]}
                className={styles['item'] ?? ''}
                onSelect={() => onChoose(address)}
              >
                <span className={styles['icon']} />
                <span className={styles['text']}>
                  <bdi>{title}</bdi>
                  {detail && <span className={styles['detail']}> {detail.replaceAll(/\s+/g, ' ')}</span>}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        )
      })}
      {isReading && <Command.Loading className={styles['empty'] ?? ''}>Searching…</Command.Loading>}
    </>
  )
}

/** Returns what is typed once no key has followed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
