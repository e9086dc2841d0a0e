import { useEffect } from 'react'

let name = 'Parley'
let count = 0

const show = () => {
  const title = name === 'Parley' ? name : `${name} · Parley`
  document.title = count > 0 ? `(${count}) ${title}` : title
}

/** Names the page in the browser's tab and history: "Dashboard · Parley". */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    name = title
    show()
  }, [title])
}

/** Puts a count before the page's name in the tab, "(3) Dashboard · Parley", while the caller is mounted; none for 0. */
export function useTitleCount(shown: number): void {
  useEffect(() => {
    count = shown
    show()
    return () => {
      count = 0
      show()
    }
  }, [shown])
}
