/** The mark: two cards in a tuck box. */
export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <title>Tuckbox</title>
      <rect
        x="10.5"
        y="2.5"
        width="15"
        height="20"
        rx="2.4"
        transform="rotate(11 18 12)"
        fill="#f3d9b1"
        stroke="#8d2b14"
        strokeWidth="1.4"
      />
      <rect
        x="7.5"
        y="3.5"
        width="15"
        height="20"
        rx="2.4"
        transform="rotate(-5 15 13)"
        fill="#fffdf9"
        stroke="#8d2b14"
        strokeWidth="1.4"
      />
      <path d="M4 14h24v13.2A2.8 2.8 0 0 1 25.200 30H6.800A2.800 2.800 0 0 1 4 27.200Z" fill="#a8361c" />
      <path d="M12.500 14a3.500 3.500 0 0 0 7 0Z" fill="#fffdf9" />
    </svg>
  );
}
