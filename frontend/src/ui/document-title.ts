import { useEffect } from 'react'

/** Names the page in the browser's tab and history: "Dashboard · Parley". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Parley' ? title : `${title} · Parley`
  }, [title])
}
