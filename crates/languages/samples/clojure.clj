;; Lists.
(ns example.lists
  (:require [clojure.string :as str]))

(def ^:private limit 0x1F)

(defn sum
  "Adds all."
  [items & {:keys [start] :or {start 0}}]
  (reduce + start items))

(defmacro unless [test & body]
  `(if (not ~test) (do ~@body)))

(defprotocol Shape (area [this]))
(defrecord Circle [radius]
  Shape
  (area [_] (* 3.14 radius radius)))

(let [{:keys [a b]} {:a 1 :b nil}
      squares (for [x (range 10) :when (even? x)] (* x x))]
  (loop [i 0]
    (when (< i 3)
      (println (str/join ", " squares) \c #"a+b" 'sym)
      (recur (inc i)))))

(-> [1 2 3] (map #(+ % 1)) first)
(try (/ 1 0) (catch Exception e (.getMessage e)) (finally #{1 2}))
#_(ignored form)
@(atom 1/2)
