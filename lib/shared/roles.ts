export const roles = ['viewer', 'support', 'operations', 'approver', 'qa', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}
