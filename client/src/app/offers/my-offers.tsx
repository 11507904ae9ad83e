import { useNavigate } from 'react-router';
import { useMyOffers } from '../../data/project/offers.ts';
import { OfferQuestion } from './offer-question.tsx';

/** Projects that are offered to the user and wait for an answer. */
export function MyOffers() {
  const offers = useMyOffers();
  const navigate = useNavigate();
  return offers.map((offer) => (
    <OfferQuestion
      key={offer.id}
      offer={offer}
      project={offer.id}
      onTaken={() => void navigate(`/decks/${offer.id}`)}
    />
  ));
}
