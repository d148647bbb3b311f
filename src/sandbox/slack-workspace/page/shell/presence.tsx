/** A filled dot for active people, a ring for those who are away. */
export function Presence({ isAway = false }: { isAway?: boolean | undefined }) {
  return (
    <span className="presence" data-away={isAway}>
      <span className="visually-hidden"> {isAway ? 'away' : 'active'} </span>
    </span>
  );
}
