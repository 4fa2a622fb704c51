{-# LANGUAGE LambdaCase, GADTs #-}
-- | A small interpreter.
module Interp
  ( Expr (..)
  , eval
  ) where

import qualified Data.Map.Strict as Map
import Data.List (sortBy, foldl')

infixl 6 :+:

data Expr a
  = Lit Int
  | Expr a :+: Expr a
  | Let { name :: String, value :: Expr a, body :: Expr a }
  deriving (Eq, Show)

newtype State s a = State { runState :: s -> (a, s) }
type Env = Map.Map String Int

class Monoid' m where
  mempty' :: m
  mappend' :: m -> m -> m
  mappend' x _ = x

instance Functor (State s) where
  fmap f (State g) = State $ \s -> let (a, s') = g s in (f a, s')

eval :: Env -> Expr a -> Either String Int
eval _ (Lit n)
  | n < 0 = Left "negative"
  | otherwise = Right n
eval env (a :+: b) = do
  x <- eval env a
  let y = x * 2
  z <- eval env b
  return (y + z)
eval env Let {name = n, value = v} = case eval env v of
  Left e -> Left e
  Right k -> pure k
  where
    unused = [x | x <- [1, 3 .. 9], odd x, let q = x `div` 2, q > 1]

main :: IO ()
main = do
  if null "abc" then putStrLn "none" else print (1.5e3 :: Double, 'c', 0x1F)
  mapM_ (\case { 0 -> pure (); _ -> print "x\n" }) [0, 1]
