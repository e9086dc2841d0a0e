import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import type { ComponentType } from 'react'
import type { NavIcon } from '../routes.ts'

/** The pictures behind the names in the route table, kept out of the first load. */
export const navIcons: Record<NavIcon, ComponentType<{ 'aria-hidden'?: boolean }>> = {
  dashboard: DashboardOutlined,
}
