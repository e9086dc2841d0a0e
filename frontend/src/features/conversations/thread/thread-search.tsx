import CloseOutlined from '@ant-design/icons/CloseOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import { Input } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SearchHits } from '../list/search-hits.tsx'
import styles from './thread-search.module.css'

const pauseMs = 300
const shortest = 2

/** Looks for words in one conversation: over the thread, which goes to what is chosen. */
export function ThreadSearch({
  conversationId,
  words,
  onSearch,
  onClose,
}: {
  conversationId: string
  words: string
  onSearch: (words: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState(words)
  const searchTyped = useEffectEvent(() => onSearch(typed.trim()))
  useEffect(() => {
    if (typed.trim() === words) return
    const timer = setTimeout(searchTyped, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, words])
  return (
    <search
      className={styles['search']}
      aria-label="This conversation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles['field']}>
        <Input
          type="search"
          autoFocus
          aria-label="Search in this conversation"
          placeholder="Whole words in this conversation"
          prefix={<SearchOutlined aria-hidden />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <IconButton label="Close search" onClick={onClose}>
          <CloseOutlined aria-hidden />
        </IconButton>
      </div>
      {words.length >= shortest && <SearchHits key={words} q={words} conversation={conversationId} />}
    </search>
  )
}
