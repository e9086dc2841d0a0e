import { useUrlState } from '../../lib/url-state.ts'
import { BotList } from './bot-list.tsx'
import { BotView } from './lazy-dialogs.tsx'
import { botsUrlShape } from './url.ts'

/** The list of bots, with the editor where the address asks for it. */
export function BotsPage() {
  const [url, change] = useUrlState(botsUrlShape)
  return url.bot ? (
    <BotView key={url.bot} id={url.bot} url={url} change={change} />
  ) : (
    <BotList url={url} change={change} />
  )
}
