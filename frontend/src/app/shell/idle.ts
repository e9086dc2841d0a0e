/** Parts that the frame loads once the screen shows, as one file: pieces of some hundred bytes would be a request each. */
export { UnreadBadge } from '../../features/conversations/list/unread-badge.tsx'
export { NotificationsButton } from '../../features/notifications/notifications-button.tsx'
export { LiveEvents } from '../live-events.tsx'
export { CommandMenu } from './command-menu.tsx'
export { InvitationsBanner } from './invitations-banner.tsx'
export { UsageBanner } from './usage-banner.tsx'
export { ViewingBanner } from './viewing-banner.tsx'
export { WorkspaceSwitcher } from './workspace-switcher.tsx'
