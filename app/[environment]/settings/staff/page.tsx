import { HydrationBoundary } from '@tanstack/react-query'
import { StaffScreen } from '#components/staff/staff-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { environmentOf, prefetch, read } from '../../prefetch.ts'

export const metadata = { title: 'Staff' }

export default async function StaffPage({ params }: PageProps<'/[environment]/settings/staff'>) {
  const environment = environmentOf((await params).environment)
  const state = await prefetch(routes.staff(environment), read('listStaff', environment))
  return (
    <HydrationBoundary state={state}>
      <StaffScreen environment={environment} />
    </HydrationBoundary>
  )
}
