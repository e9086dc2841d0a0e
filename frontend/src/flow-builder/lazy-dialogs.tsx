import { whenOpened } from '../ui/when-opened.tsx'

const isOpen = ({ open }: { readonly open: boolean }) => open

export const AttentionDrawer = whenOpened(async () => (await import('./attention-drawer.tsx')).AttentionDrawer, isOpen)
export const PauseDialog = whenOpened(async () => (await import('./pause-dialog.tsx')).PauseDialog, isOpen)
export const PublishDialog = whenOpened(async () => (await import('./publish-dialog.tsx')).PublishDialog, isOpen)
